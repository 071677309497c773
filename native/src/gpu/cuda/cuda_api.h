// The part of NVIDIA's driver API (cuda.h) that is used here, declared by us: building doesn't need the SDK. Names,
// numbers and the `_v2` suffix of symbols are the library's stable binary interface.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef _WIN32
#define HEADFRAME_CUDA_CALL __stdcall
#else
#define HEADFRAME_CUDA_CALL
#endif

namespace headframe::gpu::cuda {

using Code = int;
using DeviceId = int;
using Address = std::uint64_t;  ///< of memory as the device sees it
using Context = struct ContextObject*;
using Module = struct ModuleObject*;
using Kernel = struct KernelObject*;
using Stream = struct StreamObject*;
using Event = struct EventObject*;

// Error codes that are handled individually; all others except success are faults of kind `other`.
inline constexpr Code success = 0;
inline constexpr Code out_of_memory = 2;
inline constexpr Code device_unavailable = 46;
inline constexpr Code no_binary_for_gpu = 209;
inline constexpr Code ecc_uncorrectable = 214;
inline constexpr Code invalid_ptx = 218;
inline constexpr Code unsupported_ptx_version = 222;
inline constexpr Code illegal_address = 700;
inline constexpr Code launch_timeout = 702;
inline constexpr Code primary_context_active = 708;
inline constexpr Code context_is_destroyed = 709;
inline constexpr Code hardware_stack_error = 714;
inline constexpr Code launch_failed =
    719;                              ///< with 715 to 718 (instruction, alignment, address space, counter) before it
inline constexpr Code unknown = 999;  ///< returned by a card that fell off the bus

enum class Attribute : int {
  multiprocessors = 16,
  capability_major = 75,
  capability_minor = 76,
};

enum class JitOption : int { error_log = 5, error_log_bytes = 6 };

inline constexpr unsigned schedule_auto = 0;
inline constexpr unsigned schedule_spin = 1;
inline constexpr unsigned schedule_yield = 2;
inline constexpr unsigned schedule_sleep = 4;
inline constexpr unsigned stream_on_its_own = 1;
inline constexpr unsigned event_sleep = 1;
inline constexpr unsigned event_without_time = 2;
inline constexpr unsigned host_memory_mapped = 2;

/// Every function used, by its name without `cu`; a name that ends in `V2` has a symbol that ends in `_v2`.
#define HEADFRAME_CUDA_FUNCTIONS(ONE, V2)                                                                        \
  ONE(Init, (unsigned flags))                                                                                    \
  ONE(DriverGetVersion, (int* version))                                                                          \
  ONE(GetErrorName, (Code code, const char** name))                                                              \
  ONE(DeviceGetCount, (int* count))                                                                              \
  ONE(DeviceGet, (DeviceId * device, int ordinal))                                                               \
  ONE(DeviceGetName, (char* name, int bytes, DeviceId device))                                                   \
  V2(DeviceTotalMem, (std::size_t * bytes, DeviceId device))                                                     \
  ONE(DeviceGetAttribute, (int* value, Attribute attribute, DeviceId device))                                    \
  ONE(DeviceGetPCIBusId, (char* id, int bytes, DeviceId device))                                                 \
  ONE(DevicePrimaryCtxSetFlags, (DeviceId device, unsigned flags))                                               \
  ONE(DevicePrimaryCtxRetain, (Context * context, DeviceId device))                                              \
  ONE(DevicePrimaryCtxRelease, (DeviceId device))                                                                \
  ONE(CtxSetCurrent, (Context context))                                                                          \
  ONE(CtxSynchronize, ())                                                                                        \
  ONE(ModuleLoadDataEx, (Module * module, const void* image, unsigned count, JitOption* options, void** values)) \
  ONE(ModuleUnload, (Module module))                                                                             \
  ONE(ModuleGetFunction, (Kernel * kernel, Module module, const char* name))                                     \
  V2(MemAlloc, (Address * address, std::size_t bytes))                                                           \
  V2(MemFree, (Address address))                                                                                 \
  V2(MemcpyHtoD, (Address to, const void* from, std::size_t bytes))                                              \
  V2(MemcpyDtoH, (void* to, Address from, std::size_t bytes))                                                    \
  ONE(MemHostAlloc, (void** memory, std::size_t bytes, unsigned flags))                                          \
  ONE(MemFreeHost, (void* memory))                                                                               \
  V2(MemHostGetDevicePointer, (Address * address, void* memory, unsigned flags))                                 \
  ONE(StreamCreate, (Stream * stream, unsigned flags))                                                           \
  V2(StreamDestroy, (Stream stream))                                                                             \
  ONE(EventCreate, (Event * event, unsigned flags))                                                              \
  V2(EventDestroy, (Event event))                                                                                \
  ONE(EventRecord, (Event event, Stream stream))                                                                 \
  ONE(EventSynchronize, (Event event))                                                                           \
  ONE(LaunchKernel,                                                                                              \
      (Kernel kernel, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,     \
       unsigned block_z, unsigned shared_bytes, Stream stream, void** parameters, void** extra))

/// The table of the library's functions: filled once, read-only afterwards.
struct Functions {
#define HEADFRAME_CUDA_MEMBER(name, parameters) Code(HEADFRAME_CUDA_CALL* name) parameters = nullptr;
  HEADFRAME_CUDA_FUNCTIONS(HEADFRAME_CUDA_MEMBER, HEADFRAME_CUDA_MEMBER)
#undef HEADFRAME_CUDA_MEMBER
};

/// The parameter of the search kernels; `Search` of resources/cuda/xhash.cu.
struct SearchParameters {
  std::uint64_t seal_hash[4];
  std::uint64_t first_nonce;
  std::uint64_t target_top;
  Address dataset;
  Address results;
  std::uint32_t rows;
  std::uint32_t rows_magic;
  std::uint32_t nonces;
};
static_assert(sizeof(SearchParameters) == 80);

/// The parameter of the item kernel; `Items` of resources/cuda/xhash.cu.
struct ItemsParameters {
  Address cache;
  Address dataset;
  std::uint32_t cache_items;
  std::uint32_t cache_items_magic;
  std::uint32_t first;
  std::uint32_t count;
};
static_assert(sizeof(ItemsParameters) == 32);

}  // namespace headframe::gpu::cuda
