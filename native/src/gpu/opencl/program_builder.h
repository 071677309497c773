// From kernel source to a program for one device, through the cache of binaries.
#pragma once

#include <string>
#include <variant>

#include "../device.h"
#include "cl_api.h"
#include "cl_object.h"
#include "program_cache.h"

namespace headframe::gpu {

class ProgramBuilder {
public:
  struct Target {
    cl::Context context;
    cl::DeviceId device;
    std::string identity;  ///< device and driver, as far as binaries depend on them
  };

  /// @param source the kernels' text
  ProgramBuilder(const cl::Functions& api, Target target, std::string source, ProgramCache cache)
      : api_(api), target_(std::move(target)), source_(std::move(source)), cache_(std::move(cache)) {}

  /// @param defines the source's parameters, as compiler options (`-D NAME=VALUE …`).
  [[nodiscard]] std::variant<cl::Object<cl::Program>, Fault> build(const std::string& defines) const;

private:
  [[nodiscard]] cl::Object<cl::Program> load(const std::string& key, const std::string& defines) const;
  void keep(const std::string& key, cl::Program program) const;
  [[nodiscard]] Fault build_fault(cl::Program program, cl::Code code) const;

  const cl::Functions& api_;
  Target target_;
  std::string source_;
  ProgramCache cache_;
};

}  // namespace headframe::gpu
