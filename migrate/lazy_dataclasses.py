"""`dataclass`, `field` and `replace` of the standard library, for classes whose methods are made when first used.

The standard library writes and compiles the methods of every dataclass on import: a third of the time that `check` of
one file takes, for classes that it mostly makes no instance of. Modules that `check` imports take these names from
here. The classes look the same to whoever asks, `dataclasses.fields`, `asdict` and `pickle` among them; the options
are those that this package uses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
else:
    _MISSING = object()
    _FIELDS = "__lazy_fields__"
    _COPY = "__lazy_copy__"
    _COMPARED = {"__lt__": "<", "__le__": "<=", "__gt__": ">", "__ge__": ">="}

    class _Field:
        """What a class says of one of its fields."""

        __slots__ = ("compare", "default", "factory", "init", "kw_only", "repr", "type")

        def __init__(self, default: Any, factory: Any, init: bool, shown: bool, compare: bool) -> None:
            self.default, self.factory, self.init, self.repr, self.compare = default, factory, init, shown, compare
            self.type, self.kw_only = "", False

        def standard(self) -> Any:
            """The same, as the standard library has it."""
            import dataclasses

            given = {"init": self.init, "repr": self.repr, "compare": self.compare, "kw_only": self.kw_only}
            if self.default is not _MISSING:
                given["default"] = self.default
            if self.factory is not _MISSING:
                given["default_factory"] = self.factory
            return dataclasses.field(**given)

    def field(
        *,
        default: Any = _MISSING,
        default_factory: Any = _MISSING,
        init: bool = True,
        repr: bool = True,  # noqa: A002  # the standard library's name
        compare: bool = True,
    ) -> Any:
        """A field that is more than a name, a type and a value."""
        return _Field(default, default_factory, init, repr, compare)

    def dataclass(cls: Any = None, /, **options: bool) -> Any:
        """The class with the methods that its fields imply; of the options those in `_made`."""
        return (lambda given: _made(given, **options)) if cls is None else _made(cls, **options)

    def replace(instance: Any, /, **changes: Any) -> Any:
        """A copy of a dataclass with other values for some fields."""
        kind = instance.__class__  # not `type`: what stands for an instance is replaced by a real one
        copied = kind.__dict__.get(_COPY)
        if copied is None:
            fields = getattr(kind, _FIELDS, None)
            if fields is None:
                import dataclasses  # a class of another kind

                return dataclasses.replace(instance, **changes)
            if _FIELDS not in kind.__dict__:  # a class of the standard library's that inherits from one
                given = {name: getattr(instance, name) for name, one in fields.items() if one.init}
                return kind(**{**given, **changes})
            copied = _copier(kind, fields)
            setattr(kind, _COPY, copied)
        return copied(instance, **changes)

    def _copier(kind: Any, fields: dict[str, _Field]) -> Any:
        """What makes an instance of another, given by name the values that differ: large trees ask very often."""
        names = [name for name, one in fields.items() if one.init]
        given = "".join(f", {name}=_missing" for name in names)
        values = (f"{name}=_from.{name} if {name} is _missing else {name}" for name in names)
        known = {"_missing": _MISSING, "_kind": kind}
        return _compiled(f"def made(_from, /{given}):\n return _kind({', '.join(values)})", known)

    def _made(
        cls: Any, frozen: bool = False, slots: bool = False, eq: bool = True, order: bool = False, kw_only: bool = False
    ) -> Any:
        own = _own_fields(cls, kw_only)
        fields: dict[str, _Field] = {}
        for base in cls.__mro__[:0:-1]:
            if "__dataclass_fields__" in base.__dict__ and _FIELDS not in base.__dict__:
                raise TypeError(f"{cls.__name__}: its base {base.__name__} is a dataclass of the standard library")
            fields.update(base.__dict__.get(_FIELDS, {}))
        inherited = set(fields)
        fields.update(own)
        if slots:
            cls = _with_slots(cls, own, inherited)
        setattr(cls, _FIELDS, fields)
        cls.__dataclass_params__ = _Parameters(frozen, eq, order)
        cls.__dataclass_fields__ = _StandardFields()
        cls.__match_args__ = tuple(name for name, one in fields.items() if one.init and not one.kw_only)
        _later(cls, "__init__", lambda: _initializer(cls, fields, frozen, slots))
        cls.__repr__ = _repr
        if eq:
            _comparisons(cls, fields, frozen, order)
        if frozen:
            cls.__setattr__, cls.__delattr__ = _refuse, _refuse
            if slots:
                _states(cls)
        return cls

    class _Parameters:
        """What the standard library asks of a class that another inherits from."""

        def __init__(self, frozen: bool, eq: bool, order: bool) -> None:
            self.init = self.repr = True
            self.eq, self.order, self.unsafe_hash, self.frozen = eq, order, False, frozen

    class _StandardFields:
        """The fields as the standard library describes them, made when it asks."""

        def __get__(self, instance: Any, owner: Any) -> Any:
            import dataclasses

            fields = [(name, one.type, one.standard()) for name, one in getattr(owner, _FIELDS).items()]
            made = dataclasses.make_dataclass(owner.__name__, fields, init=False, repr=False, eq=False)
            owner.__dataclass_fields__ = made.__dataclass_fields__
            return made.__dataclass_fields__

    def _own_fields(cls: Any, kw_only: bool) -> dict[str, _Field]:
        found = {}
        for name, kind in cls.__dict__.get("__annotations__", {}).items():  # noqa: RUF063  # `inspect` takes longer than all the rest
            if "ClassVar" in str(kind):
                continue
            given = cls.__dict__.get(name, _MISSING)
            one = given if isinstance(given, _Field) else _Field(given, _MISSING, init=True, shown=True, compare=True)
            one.type, one.kw_only = kind, kw_only
            if isinstance(given, _Field):
                if given.default is _MISSING:
                    delattr(cls, name)
                else:
                    setattr(cls, name, given.default)
            found[name] = one
        return found

    def _with_slots(cls: Any, own: dict[str, _Field], inherited: set[str]) -> Any:
        """The class made again: slots cannot be added to one that is there."""
        kept = {key: value for key, value in cls.__dict__.items() if key not in own}
        kept.pop("__dict__", None)
        kept.pop("__weakref__", None)
        kept["__slots__"] = tuple(name for name in own if name not in inherited)
        made = type(cls)(cls.__name__, cls.__bases__, kept)
        made.__qualname__ = cls.__qualname__
        return made

    def _later(cls: Any, name: str, make: Any) -> None:
        """Give the class a method that replaces itself by what `make` gives when it is first called."""
        if name in cls.__dict__ and not (name == "__hash__" and cls.__dict__[name] is None):
            return

        def first(self: Any, *given: Any, **named: Any) -> Any:
            method = make()
            method.__qualname__ = f"{cls.__qualname__}.{name}"
            setattr(cls, name, method)
            return method(self, *given, **named)

        setattr(cls, name, first)

    def _compiled(text: str, known: dict[str, Any]) -> Any:
        exec(text, known)  # as the standard library makes them
        return known["made"]

    def _initializer(cls: Any, fields: dict[str, _Field], frozen: bool, slots: bool) -> Any:
        known: dict[str, Any] = {"_missing": _MISSING, "_set": object.__setattr__}
        given = ["self"]
        lines = []
        ordered = sorted(fields.items(), key=lambda pair: pair[1].kw_only)  # sorted keeps the order within a kind
        for name, one in ordered:
            if one.init:
                if one.kw_only and "*" not in given:
                    given.append("*")
                given.append(_parameter(name, one, known))
            elif one.factory is _MISSING and one.default is _MISSING:
                continue
            value = _value(name, one, known)
            if not frozen:
                lines.append(f" self.{name} = {value}")
            elif slots and hasattr(getattr(cls, name, None), "__set__"):
                known[f"_set_{name}"] = getattr(cls, name).__set__
                lines.append(f" _set_{name}(self, {value})")
            else:
                lines.append(f" _set(self, {name!r}, {value})")
        if hasattr(cls, "__post_init__"):
            lines.append(" self.__post_init__()")
        return _compiled(f"def made({', '.join(given)}):\n" + ("\n".join(lines) or " pass"), known)

    def _parameter(name: str, one: _Field, known: dict[str, Any]) -> str:
        if one.factory is not _MISSING:
            return f"{name}=_missing"
        if one.default is not _MISSING:
            known[f"_default_{name}"] = one.default
            return f"{name}=_default_{name}"
        return name

    def _value(name: str, one: _Field, known: dict[str, Any]) -> str:
        if one.factory is not _MISSING:
            known[f"_factory_{name}"] = one.factory
            return f"_factory_{name}() if {name} is _missing else {name}" if one.init else f"_factory_{name}()"
        if not one.init:
            known[f"_default_{name}"] = one.default
            return f"_default_{name}"
        return name

    def _comparisons(cls: Any, fields: dict[str, _Field], frozen: bool, order: bool) -> None:
        names = [name for name, one in fields.items() if one.compare]

        def method(line: str) -> Any:
            mine, other = ("".join(f"{of}.{name}, " for name in names) for of in ("self", "other"))
            return _compiled(f"def made(self{', other' if 'other' in line else ''}):\n " + line.format(mine, other), {})

        same = "if other.__class__ is not self.__class__: return NotImplemented\n return "
        _later(cls, "__eq__", lambda: method(same + "({}) == ({})"))
        for name, sign in _COMPARED.items() if order else ():
            _later(cls, name, lambda sign=sign: method(f"{same}({{}}) {sign} ({{}})"))
        if frozen:
            _later(cls, "__hash__", lambda: method("return hash(({}))"))
        elif "__hash__" not in cls.__dict__:
            cls.__hash__ = None

    def _repr(self: Any) -> str:
        shown = ((name, one) for name, one in getattr(type(self), _FIELDS).items() if one.repr)
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name, _ in shown)})"

    def _refuse(self: Any, name: str, *given: Any) -> None:
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot {'assign to' if given else 'delete'} field {name!r}")

    def _states(cls: Any) -> None:
        """How each field of a class with slots is read and set, past the refusal: large reports are kept and sent."""
        names = list(getattr(cls, _FIELDS))

        def setter() -> Any:
            known = {f"_put_{name}": getattr(cls, name).__set__ for name in names}
            lines = [f"[{', '.join(names)}] = state", *(f"_put_{name}(self, {name})" for name in names)]
            return _compiled("def made(self, state):\n " + "\n ".join(lines), known)

        read = ", ".join(f"self.{name}" for name in names)
        _later(cls, "__getstate__", lambda: _compiled(f"def made(self):\n return [{read}]", {}))
        _later(cls, "__setstate__", setter)


__all__ = ["dataclass", "field", "replace"]
