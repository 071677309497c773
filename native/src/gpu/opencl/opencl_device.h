// One open OpenCL device: its memory, its kernels, and two queues of launches.
#pragma once

#include <memory>
#include <string>

#include "../device.h"
#include "cl_api.h"

namespace headframe::gpu {

struct OpenclDeviceOptions {
  cl::Functions api;
  cl::DeviceId id;
  DeviceFacts facts;
  std::uint32_t largest_group;
  std::string source;
  std::string binary_folder;  ///< empty: nothing is kept
};

/// Builds what the default shape needs. Null, with the reason in `fault`, on failure.
[[nodiscard]] std::unique_ptr<Device> open_opencl_device(const OpenclDeviceOptions& options, Fault& fault);

}  // namespace headframe::gpu
