#include "cuda_library.h"

#include <type_traits>

#include "../../dynamic_library.h"

namespace headframe::gpu::cuda {

namespace {

constexpr int oldest_version = 9000;  // the first that supports PTX 6.0, and with it shuffles with explicit lane masks

std::string text_of_version(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

Fault::Kind kind_of(Code code) {
  switch (code) {
    case out_of_memory: return Fault::Kind::out_of_memory;
    case no_binary_for_gpu:
    case invalid_ptx:
    case unsupported_ptx_version: return Fault::Kind::build;
    case device_unavailable:
    case ecc_uncorrectable:
    case illegal_address:
    case launch_timeout:
    case context_is_destroyed:
    case unknown: return Fault::Kind::lost;
    default: return code >= hardware_stack_error && code <= launch_failed ? Fault::Kind::lost : Fault::Kind::other;
  }
}

}  // namespace

std::variant<std::shared_ptr<const Library>, std::string> Library::open(const std::string& path) {
  const std::shared_ptr<Library> library(new Library);
  std::string error = library->start(path);
  if (!error.empty()) return error;
  return library;
}

/// Empty on success.
std::string Library::start(const std::string& path) {
  std::string error;
  void* const handle = open_library(path, error);
  if (handle == nullptr) return error;
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol_of(handle, name));
    if (function == nullptr && error.empty()) error = path + " has no " + name + ": the NVIDIA driver is too old";
  };
#define HEADFRAME_CUDA_FIND(name, parameters) find("cu" #name, functions_.name);
#define HEADFRAME_CUDA_FIND_V2(name, parameters) find("cu" #name "_v2", functions_.name);
  HEADFRAME_CUDA_FUNCTIONS(HEADFRAME_CUDA_FIND, HEADFRAME_CUDA_FIND_V2)
#undef HEADFRAME_CUDA_FIND_V2
#undef HEADFRAME_CUDA_FIND
  if (!error.empty()) return error;
  const Code started = functions_.Init(0);
  if (started != success) return "cuInit: " + words(started);
  const Code asked = functions_.DriverGetVersion(&version_);
  if (asked != success) return "cuDriverGetVersion: " + words(asked);
  if (version_ >= oldest_version) return "";
  return "the NVIDIA driver is too old: it speaks CUDA " + version_text() + ", needed is " +
         text_of_version(oldest_version) + " or newer";
}

std::string Library::version_text() const { return text_of_version(version_); }

std::string Library::words(Code code) const {
  const char* name = nullptr;
  const bool named = functions_.GetErrorName(code, &name) == success && name != nullptr;
  return (named ? std::string(name) : "CUDA code") + " (" + std::to_string(code) + ")";
}

Outcome Library::fault(const char* call, Code code) const {
  if (code == success) return std::nullopt;
  return Fault{kind_of(code), std::string(call) + ": " + words(code)};
}

}  // namespace headframe::gpu::cuda
