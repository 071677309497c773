// The kernels of resources/cuda/xhash.cu, compiled for the processor and found by their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace headframe::test {

/// Null if there is no kernel of that name.
struct HostKernel;
[[nodiscard]] const HostKernel* find_kernel(const std::string& name);

/// Size of the kernel's only parameter.
[[nodiscard]] std::size_t parameter_bytes(const HostKernel& kernel);

/// Runs a whole launch, warp after warp. `parameter` points to its parameter.
void run_kernel(const HostKernel& kernel, std::uint32_t groups, std::uint32_t group_size, const void* parameter);

/// The kernels' own remainder, for any divisor under 2^31.
[[nodiscard]] std::uint32_t kernel_remainder(std::uint32_t value, std::uint32_t divisor);

/// Called before each read of the cache or the dataset, if set; for datasets that are generated when read.
using LoadHook = void (*)(const void* address);
void set_load_hook(LoadHook hook);
void before_load(const void* address);

}  // namespace headframe::test
