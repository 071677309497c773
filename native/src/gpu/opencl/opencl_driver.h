// OpenCL as a GPU driver: all platforms of the system's loader, including pocl.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "../device.h"

namespace headframe::gpu {

struct OpenclOptions {
  std::string library;                 ///< name for the loader, or a file: `libOpenCL.so.1`
  std::string source;                  ///< resources/opencl/xhash.cl
  std::uint64_t allocation_limit = 0;  ///< max bytes of one buffer, if lower than the device's; 0: the device's
};

/// The driver, or why there is none. May hang with the system's drivers, so call it on its own thread.
[[nodiscard]] std::variant<std::shared_ptr<Driver>, std::string> open_opencl(const OpenclOptions& options);

}  // namespace headframe::gpu
