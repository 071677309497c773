// Zeroed memory for caches and datasets, in huge pages where the system permits: random reads over gigabytes are
// otherwise limited by address translation.
#pragma once

#include <cstddef>
#include <cstdint>

namespace headframe::xhash {

/// Owns system pages. Movable, not copyable; `words()` is null when memory couldn't be allocated.
class HugeBuffer {
public:
  HugeBuffer() noexcept = default;
  explicit HugeBuffer(std::size_t bytes) noexcept;
  ~HugeBuffer();
  HugeBuffer(HugeBuffer&& other) noexcept;
  HugeBuffer& operator=(HugeBuffer&& other) noexcept;
  HugeBuffer(const HugeBuffer&) = delete;
  HugeBuffer& operator=(const HugeBuffer&) = delete;

  /// Aligned to 2 MiB where huge pages exist, to a page elsewhere.
  [[nodiscard]] std::uint32_t* words() const noexcept { return words_; }

private:
  void* mapping_ = nullptr;
  std::size_t mapped_bytes_ = 0;
  std::uint32_t* words_ = nullptr;
};

}  // namespace headframe::xhash
