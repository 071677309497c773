// The sizes of cache and dataset in an epoch, and how an epoch is identified. Growth figures are network parameters.
#pragma once

#include <cstdint>

#include "types.h"

namespace headframe::xhash {

/// Bytes at epoch 0 before the prime rule, and bytes added per epoch.
struct SizeRule {
  std::uint64_t cache_init;
  std::uint64_t cache_growth;
  std::uint64_t dataset_init;
  std::uint64_t dataset_growth;
};

/// Main and test networks. Source: prlx consensus/xhash/algorithm.go; vectors chain/epochs.json
inline constexpr SizeRule full_sizes{1u << 24, 1u << 17, 1u << 30, 1u << 23};

/// Bytes of the cache: the largest prime number of 64-byte items on the rule's grid.
[[nodiscard]] std::uint64_t cache_bytes(const SizeRule& rule, std::uint32_t epoch) noexcept;

/// Bytes of the dataset: the largest prime number of 128-byte rows on the rule's grid.
[[nodiscard]] std::uint64_t dataset_bytes(const SizeRule& rule, std::uint32_t epoch) noexcept;

/// 32 bytes: zeros for epoch 0, then sha3_256("PARALLAX" || 1 || previous). Costs one hash per epoch.
[[nodiscard]] Hash256 seed_hash(std::uint32_t epoch) noexcept;

}  // namespace headframe::xhash
