// cudamigrate declarations: PyTorch's ATen for ROCm, names and types only; not the library's own header
#pragma once

#include <ATen/hip/HIPContextLight.h>
#include <c10/hip/HIPStream.h>

namespace at::cuda {
MempoolId_t graph_pool_handle();
struct CUDAGraph {
  CUDAGraph(bool keep_graph = false);
  ~CUDAGraph();
  MempoolId_t pool();
  void debug_dump(const std::string& path);
  void enable_debug_mode();
  void instantiate();
  void reset();
  void replay();
  void capture_end();
  void capture_begin(MempoolId_t pool = {0, 0}, hipStreamCaptureMode mode = hipStreamCaptureModeGlobal);
};
}  // namespace at::cuda
