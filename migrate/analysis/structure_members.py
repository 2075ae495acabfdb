"""Structures of CUDA's runtime and driver whose members HIP has in another order, by another name, or not at all.

A list in braces gives values by place, so that the order of members is part of what code says. Source: CUDA 13's
headers `driver_types.h` and `cuda.h`; HIP's headers `hip_runtime_api.h` and `driver_types.h` of ROCm 5.2 and 7.1.
"""

from __future__ import annotations

_MEMSET = "dst pitch value elementSize width height"
_KERNEL = "func gridDim blockDim sharedMemBytes kernelParams extra"
_DRIVER_KERNEL = "func gridDim.x gridDim.y gridDim.z blockDim.x blockDim.y blockDim.z sharedMemBytes kernelParams extra"
_WINDOW = "base_ptr num_bytes hitRatio hitProp missProp"
_EDGE = "from_port to_port type"
_INSTANTIATION = "flags uploadStream errNode_out result_out"
_OF_HIP = {
    _MEMSET: "dst elementSize height pitch value width",
    _KERNEL: "blockDim extra func gridDim kernelParams sharedMemBytes",
    _DRIVER_KERNEL: "blockDim extra func gridDim kernelParams sharedMemBytes",
    _WINDOW: "base_ptr hitProp hitRatio missProp num_bytes",
    _EDGE: "from_port reserved to_port type",
    _INSTANTIATION: "errNode_out flags result_out uploadStream",
}
_VERSIONS = ("", "_st", "_v1", "_v2", "_v2_st", "_v3", "_v3_st")
_DRIVER_KERNELS = tuple(f"CUDA_KERNEL_NODE_PARAMS{end}" for end in _VERSIONS)
_DRIVER_MEMSETS = tuple(f"CUDA_MEMSET_NODE_PARAMS{end}" for end in _VERSIONS[:5])
_DRIVER_INSTANTIATIONS = ("CUDA_GRAPH_INSTANTIATE_PARAMS", "CUDA_GRAPH_INSTANTIATE_PARAMS_st")
_ORDERS = {
    _MEMSET: ("cudaMemsetParams", "cudaMemsetParamsV2", *_DRIVER_MEMSETS),
    _KERNEL: ("cudaKernelNodeParams", "cudaKernelNodeParamsV2"),
    _DRIVER_KERNEL: _DRIVER_KERNELS,
    _WINDOW: ("cudaAccessPolicyWindow", "CUaccessPolicyWindow", "CUaccessPolicyWindow_v1"),
    _EDGE: ("cudaGraphEdgeData", "CUgraphEdgeData"),
    _INSTANTIATION: ("cudaGraphInstantiateParams", *_DRIVER_INSTANTIATIONS),
}
ORDER = {kind: tuple(order.split()) for order, kinds in _ORDERS.items() for kind in kinds}
"""The members of a structure in CUDA's order, by HIP's names."""
_HIPS = {kind: tuple(_OF_HIP[order].split()) for order, kinds in _ORDERS.items() for kind in kinds}

RENAMED = {
    _DRIVER_KERNELS: {f"{one}Dim{axis}": f"{one}Dim.{axis.lower()}" for one in ("grid", "block") for axis in "XYZ"},
    _DRIVER_INSTANTIATIONS: {"hUploadStream": "uploadStream", "hErrNode_out": "errNode_out"},
}
"""Members that HIP's structure has by another name."""
_CLUSTERS = "is for clusters of blocks: leave it out"
_CONTEXT = "is the current context there: leave it out, and make the context current"
ABSENT = {
    ("cudaTextureDesc",): {
        "disableTrilinearOptimization": "only makes filters faster: leave it out",
        "seamlessCubemap": "is not there for cubemaps: sample the edges of faces yourself",
    },
    ("cudaMemPoolProps", "CUmemPoolProps", "CUmemPoolProps_v1"): {"usage": "is a hint of CUDA's: leave it out"},
    ("cudaFuncAttributes",): dict.fromkeys(
        ("clusterDimMustBeSet", "clusterSchedulingPolicyPreference", "nonPortableClusterSizeAllowed",
         "requiredClusterDepth", "requiredClusterHeight", "requiredClusterWidth"), _CLUSTERS,
    ),
    _DRIVER_KERNELS: {"ctx": _CONTEXT, "kern": "is `func` there"},
    ("cudaMemsetParamsV2", *_DRIVER_MEMSETS): {"ctx": _CONTEXT},
    ("CUDA_MEMCPY_NODE_PARAMS", "CUDA_MEMCPY_NODE_PARAMS_st"): {"copyCtx": _CONTEXT},
    tuple(f"CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC{end}" for end in ("", "_st", "_v1")): {
        "arrayDesc": "is `formatDesc`, `extent` and `flags` there",
    },
    ("cudaChildGraphNodeParams", "CUDA_CHILD_GRAPH_NODE_PARAMS"): {"ownership": "is not there: HIP copies the graph"},
}  # fmt: skip
"""Members that HIP's structure lacks, each with what to do."""


def is_moved(kind: str, count: int) -> bool:
    """Whether one of the first `count` members of a structure has another place in HIP's."""
    return count > 1 and ORDER[kind][:count] != _HIPS[kind][:count]
