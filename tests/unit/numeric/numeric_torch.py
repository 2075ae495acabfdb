"""As much of torch as a written harness uses, so that it can be run where torch is not installed.

A test copies this file to `torch.py` beside the extension it runs. There is no GPU in it.
"""

import pickle
import random
import struct

__version__ = "0+stub"


class _Kind:
    def __init__(self, name, floating):
        self.name, self.floating = name, floating

    def __repr__(self):
        return f"torch.{self.name}"

    def __reduce__(self):
        return (_kind, (self.name,))


def _kind(name):
    return globals()[name]


float32, float64 = _Kind("float32", True), _Kind("float64", True)
int32, int64 = _Kind("int32", False), _Kind("int64", False)


class Tensor:
    def __init__(self, data, shape, dtype):
        self.shape, self.dtype = tuple(shape), dtype
        self.data = [_rounded(value, dtype) for value in data]

    def to(self, what, copy=False):
        return Tensor(self.data, self.shape, what if isinstance(what, _Kind) else self.dtype)

    def detach(self):
        return self

    def clone(self):
        return Tensor(self.data, self.shape, self.dtype)

    def contiguous(self):
        return self

    def flatten(self):
        return Tensor(self.data, (len(self.data),), self.dtype)

    def copy_(self, other):
        self.data = [_rounded(value, self.dtype) for value in other.data]

    def is_complex(self):
        return False

    def is_floating_point(self):
        return self.dtype.floating

    def tolist(self):
        return list(self.data)


def _rounded(value, dtype):
    if dtype is float32:
        return struct.unpack("f", struct.pack("f", value))[0]
    return float(value) if dtype.floating else int(value)


def _count(shape):
    total = 1
    for length in shape:
        total *= length
    return total


class Generator:
    def manual_seed(self, seed):
        self.random = random.Random(seed)
        return self


def zeros(shape, dtype):
    return Tensor([0] * _count(shape), shape, dtype)


def tensor(values, dtype):
    return Tensor(values, (len(values),), dtype)


def randn(shape, generator, dtype):
    return Tensor([generator.random.gauss(0, 1) for _ in range(_count(shape))], shape, dtype)


def randint(low, high, shape, generator):
    return Tensor([generator.random.randrange(low, high) for _ in range(_count(shape))], shape, int64)


def save(what, path):
    with open(path, "wb") as file:
        pickle.dump(what, file)


def load(path, weights_only):
    assert weights_only
    with open(path, "rb") as file:
        return pickle.load(file)


class cuda:  # noqa: N801
    @staticmethod
    def is_available():
        return False
