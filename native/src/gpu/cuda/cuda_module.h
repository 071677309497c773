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
  std::vector<Kernel> searches;  ///< find the same, differ in speed; the likeliest best first
};

/// Has the driver make machine code of the PTX that suits the device. Its context must be current.
/// Faults of kind `build` end with the compiler's words.
[[nodiscard]] Outcome load_kernels(const Library& library, DeviceId device, const std::string& ptx_folder,
                                   Kernels& kernels);

}  // namespace headframe::gpu::cuda
