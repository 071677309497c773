#include "kernels.h"

#include <array>

#define XHASH_MACHINE "../../native/test/cuda-host/machine.h"
#include "../../../resources/cuda/xhash.cu"

namespace headframe::test {

namespace {

LoadHook load_hook = nullptr;

template <class Parameter, void (*Kernel)(Parameter)>
void call(const void* parameter) {
  Kernel(*static_cast<const Parameter*>(parameter));
}

}  // namespace

struct HostKernel {
  const char* name;
  std::size_t parameter_bytes;
  void (*body)(const void*);
};

namespace {

constexpr std::array kernels{
    HostKernel{"xhash_items", sizeof(Items), call<Items, xhash_items>},
    HostKernel{"xhash_search_4", sizeof(Search), call<Search, xhash_search_4>},
    HostKernel{"xhash_search_8", sizeof(Search), call<Search, xhash_search_8>},
    HostKernel{"xhash_search_4_dot", sizeof(Search), call<Search, xhash_search_4_dot>},
    HostKernel{"xhash_search_8_dot", sizeof(Search), call<Search, xhash_search_8_dot>},
};

}  // namespace

const HostKernel* find_kernel(const std::string& name) {
  for (const HostKernel& kernel : kernels) {
    if (name == kernel.name) return &kernel;
  }
  return nullptr;
}

std::size_t parameter_bytes(const HostKernel& kernel) { return kernel.parameter_bytes; }

void run_kernel(const HostKernel& kernel, std::uint32_t groups, std::uint32_t group_size, const void* parameter) {
  const std::uint32_t threads = groups * group_size;
  for (std::uint32_t first = 0; first < threads; first += warp_lanes) run_warp(first, kernel.body, parameter);
}

std::uint32_t kernel_remainder(std::uint32_t value, std::uint32_t divisor) {
  return remainder(value, {divisor, UINT32_MAX / divisor});
}

void set_load_hook(LoadHook hook) { load_hook = hook; }

void before_load(const void* address) {
  if (load_hook != nullptr) load_hook(address);
}

}  // namespace headframe::test
