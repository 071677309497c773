// CUDA as a driver of GPUs: every NVIDIA card that the system's driver shows.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "../device.h"

namespace headframe::gpu {

/// How a thread waits for its device; `sleep` costs no processor time and about 50 us a batch.
enum class CudaWait { automatic, spin, yield, sleep };

struct CudaOptions {
  std::string library;     ///< name that the loader finds, or a file: `libcuda.so.1`; empty: the system's name for it
  std::string ptx_folder;  ///< resources/cuda
  CudaWait wait = CudaWait::sleep;
};

/// The driver, or why there is none. May hang with the system's driver, so it belongs on a thread of its own.
/// `Driver::open` leaves its `binary_folder` alone: the system's driver keeps what it made of the PTX itself.
[[nodiscard]] std::variant<std::shared_ptr<Driver>, std::string> open_cuda(const CudaOptions& options);

}  // namespace headframe::gpu
