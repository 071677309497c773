// The byte-wise FNV-1 that mixes words in cache, dataset and hashimoto: one multiplication per byte, not per word.
#pragma once

#include <cstdint>

#include "platform.h"

namespace headframe::xhash {

inline constexpr std::uint32_t fnv_prime = 0x01000193;

/// Folds `v` into `u`, lowest byte of `v` first.
/// Source: the xhash library's fnv1; cases in test/vectors/chain/xhash.json
HEADFRAME_INLINE std::uint32_t fnv1(std::uint32_t u, std::uint32_t v) noexcept {
  std::uint32_t h = (u * fnv_prime) ^ (v & 0xff);
  h = (h * fnv_prime) ^ ((v >> 8) & 0xff);
  h = (h * fnv_prime) ^ ((v >> 16) & 0xff);
  return (h * fnv_prime) ^ (v >> 24);
}

}  // namespace headframe::xhash
