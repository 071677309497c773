// What the instruction sets share: a group of blocks mixed in parallel.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace headframe::kdf {

constexpr std::size_t most_lanes = 3;

/// Memory is aligned to 16 bytes; words are in diagonal order.
struct Group {
  std::uint32_t* blocks;
  std::uint32_t* table;  ///< n blocks per lane
  std::uint32_t* spare;  ///< one block per lane
  std::size_t lanes;     ///< 1 to most_lanes
  std::size_t n;
  std::size_t size;  ///< of a block, in units of 64 bytes: 2 * r
};

/// @returns false: cancelled
using MixGroup = bool (*)(const Group& group, const std::atomic<bool>& cancelled) noexcept;

/// Null on processors other than x86-64.
[[nodiscard]] MixGroup avx512_mixing() noexcept;

}  // namespace headframe::kdf
