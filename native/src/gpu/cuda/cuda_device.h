// One open CUDA device: its primary context, its memory, its kernels, and two streams of launches.
#pragma once

#include <memory>
#include <string>

#include "../device.h"
#include "cuda_driver.h"
#include "cuda_library.h"

namespace headframe::gpu {

struct CudaDeviceOptions {
  std::shared_ptr<const cuda::Library> library;
  cuda::DeviceId id;
  std::string ptx_folder;
  CudaWait wait;
};

/// Has the driver compile the PTX (seconds the first time; the driver caches the result). Null, with the reason in
/// `fault`, on failure.
[[nodiscard]] std::unique_ptr<Device> open_cuda_device(CudaDeviceOptions options, Fault& fault);

}  // namespace headframe::gpu
