// The inner loops, once per instruction set. All sets compute the same bits and differ in speed only.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

#include "../types.h"
#include "simd.h"

namespace headframe::xhash {

struct LightInput {
  Hash256 seal_hash;
  std::uint64_t nonce;
};

struct SearchInput {
  Hash256 seal_hash;
  Hash256 target;             ///< big-endian; a result <= target is a hit
  std::uint64_t start_nonce;  ///< nonces are start_nonce + i, modulo 2^64
  std::uint32_t count;
};

using Message = std::span<const std::uint8_t>;

inline constexpr std::size_t light_batch_limit = 8;

struct Kernels {
  /// Fills a cache of `items` items from a 32-byte seed; false when `cancelled` became true first.
  bool (*fill_cache)(std::uint32_t* words, std::uint32_t items, const Hash256& seed,
                     const std::atomic<bool>& cancelled);

  /// Items at `indices`, 64 bytes each, to `out` (64-byte aligned, `count` items).
  void (*make_items)(const CacheView& cache, const std::uint32_t* indices, std::size_t count, std::uint32_t* out);

  /// `count` items from index `first` on, as make_items.
  void (*make_range)(const CacheView& cache, std::uint32_t first, std::size_t count, std::uint32_t* out);

  /// Light hashes of up to light_batch_limit inputs at once; several take little longer than one.
  void (*hash_light)(const CacheView& cache, const FastModulus& rows, std::span<const LightInput> inputs,
                     HashResult* out);

  /// Tries input.count nonces; writes every hit to `hits` (room for input.count) in order, returns their number.
  std::size_t (*search)(const DatasetView& dataset, const SearchInput& input, Hit* hits);

  /// Keccak-256 (padding 0x01) of each message, in their order; `out` has room for all and overlaps none of them.
  void (*hash_messages)(std::span<const Message> messages, Hash256* out);
};

/// The table of a supported level.
[[nodiscard]] const Kernels& kernels_of(Simd simd) noexcept;

}  // namespace headframe::xhash
