// Driver objects with RAII ownership.
#pragma once

#include <optional>
#include <utility>

#include "cuda_api.h"

namespace headframe::gpu::cuda {

/// Owns one handle; released with the given function. The handle's context must be current then.
template <class Handle>
class Object {
public:
  using Release = Code(HEADFRAME_CUDA_CALL*)(Handle);

  Object() noexcept = default;
  Object(Handle handle, Release release) noexcept : handle_(handle), release_(release) {}
  ~Object() { reset(); }
  Object(Object&& other) noexcept : handle_(std::exchange(other.handle_, std::nullopt)), release_(other.release_) {}
  Object& operator=(Object&& other) noexcept {
    if (this != &other) {
      reset();
      handle_ = std::exchange(other.handle_, std::nullopt);
      release_ = other.release_;
    }
    return *this;
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  /// Call it only when there is one.
  [[nodiscard]] Handle get() const noexcept { return *handle_; }
  explicit operator bool() const noexcept { return handle_.has_value(); }
  void reset() noexcept {
    if (handle_) release_(*std::exchange(handle_, std::nullopt));
  }

private:
  std::optional<Handle> handle_;  ///< not a null value: 0 is a device
  Release release_ = nullptr;
};

}  // namespace headframe::gpu::cuda
