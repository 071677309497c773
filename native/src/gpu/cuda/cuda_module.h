// The kernels of resources/cuda on one device.
#pragma once

#include <string>
#include <vector>

#include "cuda_library.h"
#include "cuda_object.h"

namespace headframe::gpu::cuda {

struct Kernels {
  Object<Module> module;
  Kernel items = nullptr;
  std::vector<Kernel> searches;  ///< same results, different speed; the likely fastest first
};

/// Has the driver compile the PTX that matches the device. Its context must be current. Faults of kind `build` end with
/// the compiler's output.
[[nodiscard]] Outcome load_kernels(const Library& library, DeviceId device, const std::string& ptx_folder,
                                   Kernels& kernels);

}  // namespace headframe::gpu::cuda
