#include "cuda_module.h"

#include <fstream>
#include <iterator>
#include <span>

#include "../../utf8_path.h"

namespace headframe::gpu::cuda {

namespace {

constexpr std::size_t log_room = 8192;

/// A file made by tools/build-ptx.mjs: the minimum compute capability (10 x major + minor), the minimum CUDA version of
/// the driver (1000 x major + 10 x minor), and its content.
struct Build {
  int capability;
  int driver;
  const char* file;
  std::span<const char* const> searches;
};

constexpr const char* shift_searches[] = {"xhash_search_8", "xhash_search_4"};
constexpr const char* dot_searches[] = {"xhash_search_8_dot", "xhash_search_4_dot", "xhash_search_8", "xhash_search_4"};
/// Best first.
constexpr Build builds[] = {{80, 11040, "xhash.sm_80.ptx", dot_searches},
                            {61, 9000, "xhash.sm_61.ptx", dot_searches},
                            {60, 9000, "xhash.sm_60.ptx", shift_searches}};

Outcome build_fault(const std::string& text) { return Fault{Fault::Kind::build, text}; }

Outcome capability_of(const Library& library, DeviceId device, int& capability) {
  const auto ask = [&](Attribute attribute, int& value) {
    return library.fault("cuDeviceGetAttribute", library.functions().DeviceGetAttribute(&value, attribute, device));
  };
  int major = 0;
  int minor = 0;
  if (Outcome failed = ask(Attribute::capability_major, major)) return failed;
  if (Outcome failed = ask(Attribute::capability_minor, minor)) return failed;
  capability = 10 * major + minor;
  return std::nullopt;
}

const Build* build_for(int capability, int driver) {
  for (const Build& build : builds) {
    if (capability >= build.capability && driver >= build.driver) return &build;
  }
  return nullptr;
}

Outcome load_module(const Library& library, const std::string& path, Object<Module>& module) {
  std::ifstream file(utf8_path(path), std::ios::binary);
  const std::string ptx((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (ptx.empty()) return build_fault(path + " cannot be read");
  std::string log(log_room, '\0');
  JitOption options[] = {JitOption::error_log, JitOption::error_log_bytes};
  void* values[] = {log.data(), reinterpret_cast<void*>(log.size())};
  Module loaded = nullptr;
  const Code code = library.functions().ModuleLoadDataEx(&loaded, ptx.c_str(), 2, options, values);
  if (Outcome failed = library.fault("cuModuleLoadDataEx", code)) {
    const std::string words(log.c_str());  // up to its first zero
    if (words.empty()) return failed;
    return build_fault(failed->text + ": " + words);
  }
  module = {loaded, library.functions().ModuleUnload};
  return std::nullopt;
}

}  // namespace

Outcome load_kernels(const Library& library, DeviceId device, const std::string& ptx_folder, Kernels& kernels) {
  int capability = 0;
  if (Outcome failed = capability_of(library, device, capability)) return failed;
  const Build* const build = build_for(capability, library.version());
  if (build == nullptr) {
    const auto text = [](int number) { return std::to_string(number / 10) + "." + std::to_string(number % 10); };
    return build_fault("compute capability " + text(capability) + " is too old: needed is " +
                       text(std::end(builds)[-1].capability) + " or newer");
  }
  if (Outcome failed = load_module(library, ptx_folder + "/" + build->file, kernels.module)) return failed;
  const auto find = [&](const char* name, Kernel& kernel) {
    return library.fault("cuModuleGetFunction",
                         library.functions().ModuleGetFunction(&kernel, kernels.module.get(), name));
  };
  if (Outcome failed = find("xhash_items", kernels.items)) return failed;
  kernels.searches.clear();
  for (const char* const name : build->searches) {
    Kernel kernel = nullptr;
    if (Outcome failed = find(name, kernel)) return failed;
    kernels.searches.push_back(kernel);
  }
  return std::nullopt;
}

}  // namespace headframe::gpu::cuda
