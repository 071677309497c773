// CUDA as a GPU driver: every NVIDIA GPU that the system's driver exposes.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "../device.h"

namespace headframe::gpu {

/// How a thread waits for its device; `sleep` uses no CPU time and costs about 50 us per batch.
enum class CudaWait { automatic, spin, yield, sleep };

struct CudaOptions {
  std::string library;     ///< name that the loader finds, or a file: `libcuda.so.1`; empty: the system's name for it
  std::string ptx_folder;  ///< resources/cuda
  CudaWait wait = CudaWait::sleep;
};

/// The driver, or why there is none. May hang with the system's driver, so call it on its own thread. `Driver::open`
/// ignores its `binary_folder`: the system's driver caches what it compiled from the PTX.
[[nodiscard]] std::variant<std::shared_ptr<Driver>, std::string> open_cuda(const CudaOptions& options);

}  // namespace headframe::gpu
