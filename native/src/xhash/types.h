// The plain values of the proof of work. Words are little-endian uint32; the code runs on little-endian machines only.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace headframe::xhash {

static_assert(std::endian::native == std::endian::little, "item words are read in place");

inline constexpr std::size_t item_bytes = 64;  ///< a cache item, and half a dataset row
inline constexpr std::size_t item_words = 16;
inline constexpr std::size_t row_bytes = 128;  ///< read by one access of hashimoto
inline constexpr std::size_t row_words = 32;
inline constexpr std::uint32_t item_parents = 256;
inline constexpr std::uint32_t accesses = 64;

using Hash256 = std::array<std::uint8_t, 32>;  ///< in display order; as a number big-endian
using Hash512 = std::array<std::uint8_t, 64>;

/// Both halves of a finished hash. `result` is compared, as a big-endian number, with a target.
struct HashResult {
  Hash256 mix_digest;
  Hash256 result;
};

/// A nonce whose result is at or below the target.
struct Hit {
  std::uint64_t nonce;
  HashResult hash;
};

/// Remainder of 32-bit numbers by a divisor fixed at run time: two multiplications, exact for every input.
/// Source: Lemire, Kaser, Kurz, "Faster remainder by direct computation" (2019).
class FastModulus {
public:
  explicit FastModulus(std::uint32_t divisor) noexcept : magic_(UINT64_MAX / divisor + 1), divisor_(divisor) {}

  [[nodiscard]] std::uint32_t divisor() const noexcept { return divisor_; }
  [[nodiscard]] std::uint64_t magic() const noexcept { return magic_; }

private:
  std::uint64_t magic_;  ///< 2^64 / divisor rounded up; 0 for divisor 1, which gives the correct remainder 0
  std::uint32_t divisor_;
};

/// A cache in memory: `count.divisor()` items of 16 words, 64-byte aligned. Does not own it.
struct CacheView {
  const std::uint32_t* words;
  FastModulus count;
};

/// A dataset in memory: `count.divisor()` rows of 32 words, 64-byte aligned. Does not own it.
struct DatasetView {
  const std::uint32_t* words;
  FastModulus count;
};

}  // namespace headframe::xhash
