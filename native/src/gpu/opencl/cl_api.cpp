#include "cl_api.h"

#include <type_traits>

#include "../../dynamic_library.h"

namespace headframe::gpu::cl {

bool find_functions(const std::string& path, Functions& functions, std::string& error) {
  void* const library = open_library(path, error);
  if (library == nullptr) return false;
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol_of(library, name));
    if (function == nullptr && error.empty()) error = path + " has no " + name;
  };
#define HEADFRAME_CL(name) find("cl" #name, functions.name)
  HEADFRAME_CL(GetPlatformIDs);
  HEADFRAME_CL(GetPlatformInfo);
  HEADFRAME_CL(GetDeviceIDs);
  HEADFRAME_CL(GetDeviceInfo);
  HEADFRAME_CL(CreateContext);
  HEADFRAME_CL(ReleaseContext);
  HEADFRAME_CL(CreateCommandQueue);
  HEADFRAME_CL(ReleaseCommandQueue);
  HEADFRAME_CL(CreateBuffer);
  HEADFRAME_CL(ReleaseMemObject);
  HEADFRAME_CL(CreateProgramWithSource);
  HEADFRAME_CL(CreateProgramWithBinary);
  HEADFRAME_CL(BuildProgram);
  HEADFRAME_CL(GetProgramInfo);
  HEADFRAME_CL(GetProgramBuildInfo);
  HEADFRAME_CL(ReleaseProgram);
  HEADFRAME_CL(CreateKernel);
  HEADFRAME_CL(SetKernelArg);
  HEADFRAME_CL(ReleaseKernel);
  HEADFRAME_CL(EnqueueNDRangeKernel);
  HEADFRAME_CL(EnqueueReadBuffer);
  HEADFRAME_CL(EnqueueWriteBuffer);
  HEADFRAME_CL(Flush);
  HEADFRAME_CL(Finish);
  HEADFRAME_CL(SetEventCallback);
  HEADFRAME_CL(ReleaseEvent);
#undef HEADFRAME_CL
  return error.empty();
}

std::string code_name(Code code) {
  switch (code) {
    case -1: return "CL_DEVICE_NOT_FOUND";
    case device_not_available: return "CL_DEVICE_NOT_AVAILABLE";
    case -3: return "CL_COMPILER_NOT_AVAILABLE";
    case memory_allocation_failure: return "CL_MEM_OBJECT_ALLOCATION_FAILURE";
    case out_of_resources: return "CL_OUT_OF_RESOURCES";
    case out_of_host_memory: return "CL_OUT_OF_HOST_MEMORY";
    case -11: return "CL_BUILD_PROGRAM_FAILURE";
    case -14: return "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST";
    case -54: return "CL_INVALID_WORK_GROUP_SIZE";
    case invalid_buffer_size: return "CL_INVALID_BUFFER_SIZE";
    case -1001: return "no OpenCL driver is installed";
    default: return "OpenCL code " + std::to_string(code);
  }
}

}  // namespace headframe::gpu::cl
