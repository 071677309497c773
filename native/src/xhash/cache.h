// The cache of one epoch in native memory, and the light hash computed from it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>

#include "kernels/kernels.h"
#include "system/huge_buffer.h"

namespace headframe::xhash {

/// Read-only once built, so any thread may use it; shared by everything derived from it.
class Cache {
public:
  /// Builds the cache of a 32-byte seed; `bytes` is a multiple of 64, at least 64. About 0.3 s for 16 MiB. Null when
  /// memory can't be allocated or `cancelled` became true.
  [[nodiscard]] static std::shared_ptr<const Cache> build(const Hash256& seed, std::size_t bytes, Simd simd,
                                                          const std::atomic<bool>& cancelled);

  /// A cache with the given content (a multiple of 64 bytes), for tests. Null when memory can't be allocated.
  [[nodiscard]] static std::shared_ptr<const Cache> of_content(std::span<const std::uint8_t> content, Simd simd);

  [[nodiscard]] CacheView view() const noexcept { return {buffer_.words(), count_}; }
  [[nodiscard]] std::size_t bytes() const noexcept { return std::size_t{count_.divisor()} * item_bytes; }
  [[nodiscard]] const Kernels& kernels() const noexcept { return kernels_; }

  /// Light hashes over a dataset of `dataset_bytes` (a multiple of 128); `out` has room for all inputs.
  void hash_light(std::uint64_t dataset_bytes, std::span<const LightInput> inputs, HashResult* out) const noexcept;

  /// Items at `indices`, 64 bytes each, to `out` (64-byte aligned).
  void make_items(std::span<const std::uint32_t> indices, std::uint32_t* out) const noexcept;

  Cache(HugeBuffer buffer, std::uint32_t items, const Kernels& kernels) noexcept
      : buffer_(std::move(buffer)), count_(items), kernels_(kernels) {}

private:
  HugeBuffer buffer_;
  FastModulus count_;
  const Kernels& kernels_;
};

}  // namespace headframe::xhash
