// The few types, numbers and functions of OpenCL 1.2 that are used here, found in the system's loader at run time:
// building needs no OpenCL headers or libraries. Source: Khronos, OpenCL 1.2 and the extensions named below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#ifdef _WIN32
#define HEADFRAME_CL_CALL __stdcall
#else
#define HEADFRAME_CL_CALL
#endif

namespace headframe::gpu::cl {

using Platform = struct PlatformObject*;
using DeviceId = struct DeviceObject*;
using Context = struct ContextObject*;
using Queue = struct QueueObject*;
using Memory = struct MemoryObject*;
using Program = struct ProgramObject*;
using Kernel = struct KernelObject*;
using Event = struct EventObject*;
using Code = std::int32_t;
using Bits = std::uint64_t;
using Bool = std::uint32_t;
using Name = std::uint32_t;

inline constexpr Code success = 0;
inline constexpr Code device_not_available = -2;
inline constexpr Code memory_allocation_failure = -4;
inline constexpr Code out_of_resources = -5;
inline constexpr Code out_of_host_memory = -6;
inline constexpr Code invalid_buffer_size = -61;

inline constexpr Bits device_type_cpu = 1u << 1;
inline constexpr Bits device_type_gpu = 1u << 2;
inline constexpr Bits device_type_all = 0xffffffff;

inline constexpr Bits memory_read_write = 1u << 0;
inline constexpr Bits memory_read_only = 1u << 2;

inline constexpr Name platform_version = 0x0901;
inline constexpr Name device_type = 0x1000;
inline constexpr Name device_max_compute_units = 0x1002;
inline constexpr Name device_max_work_group_size = 0x1004;
inline constexpr Name device_max_allocation = 0x1010;
inline constexpr Name device_global_memory = 0x101f;
inline constexpr Name device_endian_little = 0x1026;
inline constexpr Name device_available = 0x1027;
inline constexpr Name device_compiler_available = 0x1028;
inline constexpr Name device_name = 0x102b;
inline constexpr Name device_vendor = 0x102c;
inline constexpr Name driver_version = 0x102d;
inline constexpr Name device_pci_bus_id_nv = 0x4008;  ///< cl_nv_device_attribute_query
inline constexpr Name device_pci_slot_id_nv = 0x4009;
inline constexpr Name device_pci_domain_id_nv = 0x400a;
inline constexpr Name device_topology_amd = 0x4037;  ///< cl_amd_device_attribute_query
inline constexpr Name device_board_name_amd = 0x4038;
inline constexpr Name device_pci_bus_info = 0x410f;  ///< cl_khr_pci_bus_info
inline constexpr Name program_binary_sizes = 0x1165;
inline constexpr Name program_binaries = 0x1166;
inline constexpr Name program_build_log = 0x1183;
inline constexpr Code event_complete = 0;

/// The answer to device_pci_bus_info.
struct PciBusInfo {
  std::uint32_t domain, bus, device, function;
};

/// The answer to device_topology_amd for PCI Express (type 1).
struct TopologyAmd {
  std::uint32_t type;
  char unused[17];
  std::uint8_t bus, device, function;
};
static_assert(sizeof(TopologyAmd) == 24);

using EventCallback = void(HEADFRAME_CL_CALL*)(Event, Code, void*);

/// OpenCL's functions, named without their `cl`. All are set once find_functions() has returned true.
struct Functions {
#define HEADFRAME_CL(result, name, ...) result(HEADFRAME_CL_CALL* name)(__VA_ARGS__) = nullptr
  HEADFRAME_CL(Code, GetPlatformIDs, std::uint32_t, Platform*, std::uint32_t*);
  HEADFRAME_CL(Code, GetPlatformInfo, Platform, Name, std::size_t, void*, std::size_t*);
  HEADFRAME_CL(Code, GetDeviceIDs, Platform, Bits, std::uint32_t, DeviceId*, std::uint32_t*);
  HEADFRAME_CL(Code, GetDeviceInfo, DeviceId, Name, std::size_t, void*, std::size_t*);
  HEADFRAME_CL(Context, CreateContext, const std::intptr_t*, std::uint32_t, const DeviceId*, void*, void*, Code*);
  HEADFRAME_CL(Code, ReleaseContext, Context);
  HEADFRAME_CL(Queue, CreateCommandQueue, Context, DeviceId, Bits, Code*);
  HEADFRAME_CL(Code, ReleaseCommandQueue, Queue);
  HEADFRAME_CL(Memory, CreateBuffer, Context, Bits, std::size_t, void*, Code*);
  HEADFRAME_CL(Code, ReleaseMemObject, Memory);
  HEADFRAME_CL(Program, CreateProgramWithSource, Context, std::uint32_t, const char**, const std::size_t*, Code*);
  HEADFRAME_CL(Program, CreateProgramWithBinary, Context, std::uint32_t, const DeviceId*, const std::size_t*,
               const unsigned char**, Code*, Code*);
  HEADFRAME_CL(Code, BuildProgram, Program, std::uint32_t, const DeviceId*, const char*, void*, void*);
  HEADFRAME_CL(Code, GetProgramInfo, Program, Name, std::size_t, void*, std::size_t*);
  HEADFRAME_CL(Code, GetProgramBuildInfo, Program, DeviceId, Name, std::size_t, void*, std::size_t*);
  HEADFRAME_CL(Code, ReleaseProgram, Program);
  HEADFRAME_CL(Kernel, CreateKernel, Program, const char*, Code*);
  HEADFRAME_CL(Code, SetKernelArg, Kernel, std::uint32_t, std::size_t, const void*);
  HEADFRAME_CL(Code, ReleaseKernel, Kernel);
  HEADFRAME_CL(Code, EnqueueNDRangeKernel, Queue, Kernel, std::uint32_t, const std::size_t*, const std::size_t*,
               const std::size_t*, std::uint32_t, const Event*, Event*);
  HEADFRAME_CL(Code, EnqueueReadBuffer, Queue, Memory, Bool, std::size_t, std::size_t, void*, std::uint32_t,
               const Event*, Event*);
  HEADFRAME_CL(Code, EnqueueWriteBuffer, Queue, Memory, Bool, std::size_t, std::size_t, const void*, std::uint32_t,
               const Event*, Event*);
  HEADFRAME_CL(Code, Flush, Queue);
  HEADFRAME_CL(Code, Finish, Queue);
  HEADFRAME_CL(Code, SetEventCallback, Event, Code, EventCallback, void*);
  HEADFRAME_CL(Code, ReleaseEvent, Event);
#undef HEADFRAME_CL
};

/// Opens the loader at `path` and looks up every function; `error` names what is missing. The library stays loaded:
/// drivers have their own threads in it.
[[nodiscard]] bool find_functions(const std::string& path, Functions& functions, std::string& error);

/// The standard's name of an error code, or its number.
[[nodiscard]] std::string code_name(Code code);

}  // namespace headframe::gpu::cl
