#include "scrypt.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "../xhash/kernels/simd.h"
#include "../xhash/platform.h"
#include "../xhash/system/huge_buffer.h"
#include "scrypt_group.h"

#if HEADFRAME_X64
#include <immintrin.h>
#endif

namespace headframe::kdf {

#if HEADFRAME_X64

namespace {

/// SSE2, which every x86-64 processor has.
template <int bits>
HEADFRAME_INLINE __m128i rotate(__m128i words) noexcept {
  return _mm_or_si128(_mm_slli_epi32(words, bits), _mm_srli_epi32(words, 32 - bits));
}

}  // namespace

#include "scrypt_body.h"

namespace {

constexpr std::size_t salsa_bytes = 64;
/// Larger tables don't fit a cache, and in parallel they would take too much memory.
constexpr std::size_t most_shared_table = std::size_t{4} << 20;
/// Position of word k of a Salsa20 block in diagonal order.
constexpr std::size_t diagonal_place[16] = {0, 13, 10, 7, 4, 1, 14, 11, 8, 5, 2, 15, 12, 9, 6, 3};

MixGroup mixing() {
  const auto levels = xhash::supported_simd();
  const bool has_avx512 = std::find(levels.begin(), levels.end(), xhash::Simd::avx512) != levels.end();
  return has_avx512 ? avx512_mixing() : mix_group;
}

/// From bytes to words in diagonal order, or back. Little-endian words are this processor's native ones.
void arrange(std::uint8_t* bytes, std::uint32_t* words, std::size_t length, bool is_back) {
  for (std::size_t at = 0; at < length; at += salsa_bytes, bytes += salsa_bytes, words += 16) {
    for (std::size_t k = 0; k < 16; k++) {
      std::uint32_t* const place = words + diagonal_place[k];
      if (is_back) std::memcpy(bytes + 4 * k, place, 4);
      else std::memcpy(place, bytes + 4 * k, 4);
    }
  }
}

/// Not optimized away as a dead store.
void wipe(void* memory, std::size_t bytes) {
  std::memset(memory, 0, bytes);
  std::atomic_signal_fence(std::memory_order_seq_cst);
#if defined(__GNUC__) || defined(__clang__)
  __asm__ __volatile__("" : : "r"(memory) : "memory");
#endif
}

}  // namespace

bool can_mix() noexcept { return true; }

Mixing mix_blocks(std::span<std::uint8_t> blocks, std::size_t n, std::size_t r, const std::atomic<bool>& cancelled) {
  const std::size_t block_bytes = 128 * r;
  const std::size_t count = blocks.size() / block_bytes;
  const std::size_t side_by_side = n * block_bytes <= most_shared_table ? std::min(count, most_lanes) : 1;
  const std::size_t table_bytes = side_by_side * n * block_bytes;
  const std::size_t bytes = table_bytes + 2 * side_by_side * block_bytes;
  const xhash::HugeBuffer memory(bytes);
  if (memory.words() == nullptr) return Mixing::no_memory;
  const MixGroup mix = mixing();
  std::uint32_t* const table = memory.words();
  std::uint32_t* const own = table + table_bytes / 4;
  bool is_done = true;
  for (std::size_t first = 0; is_done && first < count; first += side_by_side) {
    const std::size_t lanes = std::min(side_by_side, count - first);
    std::uint8_t* const given = blocks.data() + first * block_bytes;
    arrange(given, own, lanes * block_bytes, false);
    const Group group{own, table, own + side_by_side * block_bytes / 4, lanes, n, block_bytes / salsa_bytes};
    is_done = mix(group, cancelled);
    arrange(given, own, lanes * block_bytes, true);
  }
  wipe(memory.words(), bytes);
  return is_done ? Mixing::done : Mixing::cancelled;
}

#else

bool can_mix() noexcept { return false; }

Mixing mix_blocks(std::span<std::uint8_t>, std::size_t, std::size_t, const std::atomic<bool>&) {
  return Mixing::no_memory;
}

#endif

}  // namespace headframe::kdf
