// NVIDIA's driver library, opened at run time.
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "../device.h"
#include "cuda_api.h"

namespace headframe::gpu::cuda {

/// An open and initialized library; shared by all callers. It stays loaded until the process ends, because the driver's
/// own threads may still run in it.
class Library {
public:
  /// @param path a name for the loader, or a file. Returns the library, or why it can't be loaded.
  [[nodiscard]] static std::variant<std::shared_ptr<const Library>, std::string> open(const std::string& path);

  [[nodiscard]] const Functions& functions() const noexcept { return functions_; }
  /// CUDA version of the driver: 1000 x major + 10 x minor.
  [[nodiscard]] int version() const noexcept { return version_; }
  /// `12.9`
  [[nodiscard]] std::string version_text() const;
  /// `CUDA_ERROR_OUT_OF_MEMORY (2)`
  [[nodiscard]] std::string words(Code code) const;
  /// Nothing for success, otherwise the fault of `call` (with its symbol's name), of the kind that callers act on.
  [[nodiscard]] Outcome fault(const char* call, Code code) const;

private:
  Library() = default;
  [[nodiscard]] std::string start(const std::string& path);

  Functions functions_;
  int version_ = 0;
};

}  // namespace headframe::gpu::cuda
