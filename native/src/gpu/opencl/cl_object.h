// OpenCL objects with RAII ownership.
#pragma once

#include <utility>

#include "cl_api.h"

namespace headframe::gpu::cl {

/// Owns one object; released with the given function.
template <class Handle>
class Object {
public:
  using Release = Code(HEADFRAME_CL_CALL*)(Handle);

  Object() noexcept = default;
  Object(Handle handle, Release release) noexcept : handle_(handle), release_(release) {}
  ~Object() { reset(); }
  Object(Object&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)), release_(other.release_) {}
  Object& operator=(Object&& other) noexcept {
    if (this != &other) {
      reset();
      handle_ = std::exchange(other.handle_, nullptr);
      release_ = other.release_;
    }
    return *this;
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  [[nodiscard]] Handle get() const noexcept { return handle_; }
  explicit operator bool() const noexcept { return handle_ != nullptr; }
  void reset() noexcept {
    if (handle_ != nullptr) release_(std::exchange(handle_, nullptr));
  }

private:
  Handle handle_ = nullptr;
  Release release_ = nullptr;
};

}  // namespace headframe::gpu::cl
