#include "rounds.h"

#include "../xhash/platform.h"

#if HEADFRAME_X64
#include <immintrin.h>

#include <algorithm>
#include <array>
#include <cstddef>

#include "../xhash/kernels/simd.h"

HEADFRAME_TARGET_BEGIN("avx2,bmi,bmi2")

namespace headframe::blake2 {

namespace {

constexpr std::size_t rounds_until_again = 10;

/// Which word of the message each step of a round takes.
constexpr std::array<std::array<std::uint8_t, 16>, rounds_until_again> order{{
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15},
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4},
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
}};

/// The four rows of the state; each of the four lanes is mixed independently.
struct Rows {
  __m256i a;
  __m256i b;
  __m256i c;
  __m256i d;
};

HEADFRAME_INLINE __m256i bytes_turned(__m256i words, int count) noexcept {
  const auto source = [count](int byte) { return static_cast<char>((byte & 8) | ((byte + count) & 7)); };
  alignas(32) std::array<char, 32> from;
  for (int byte = 0; byte < 32; byte++) from[byte] = source(byte & 15);
  return _mm256_shuffle_epi8(words, _mm256_load_si256(reinterpret_cast<const __m256i*>(from.data())));
}

HEADFRAME_INLINE void mix(Rows& v, __m256i x, __m256i y) noexcept {
  v.a = _mm256_add_epi64(_mm256_add_epi64(v.a, x), v.b);
  v.d = _mm256_shuffle_epi32(_mm256_xor_si256(v.d, v.a), 0xb1);
  v.c = _mm256_add_epi64(v.c, v.d);
  v.b = bytes_turned(_mm256_xor_si256(v.b, v.c), 3);
  v.a = _mm256_add_epi64(_mm256_add_epi64(v.a, y), v.b);
  v.d = bytes_turned(_mm256_xor_si256(v.d, v.a), 2);
  v.c = _mm256_add_epi64(v.c, v.d);
  v.b = _mm256_xor_si256(v.b, v.c);
  v.b = _mm256_or_si256(_mm256_add_epi64(v.b, v.b), _mm256_srli_epi64(v.b, 63));
}

/// Words of the message in the rows' order: for each round the first and second words of the columns, then of the
/// diagonals.
using Schedule = std::array<std::array<std::uint64_t, 16>, rounds_until_again>;

Schedule schedule_of(const std::uint64_t* message) {
  Schedule words;
  for (std::size_t round = 0; round < rounds_until_again; round++) {
    const auto& from = order[round];
    for (std::size_t lane = 0; lane < 4; lane++) {
      // Diagonal i starts in row a's lane i, which is in lane i + 1 while the second row stays in place.
      const std::size_t turned = (lane + 1) % 4;
      words[round][lane] = message[from[2 * lane]];
      words[round][4 + lane] = message[from[2 * lane + 1]];
      words[round][8 + turned] = message[from[8 + 2 * lane]];
      words[round][12 + turned] = message[from[9 + 2 * lane]];
    }
  }
  return words;
}

HEADFRAME_INLINE __m256i load(const std::uint64_t* words) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(words));
}

HEADFRAME_INLINE void store(std::uint64_t* words, __m256i row) noexcept {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(words), row);
}

}  // namespace

void ten_rounds(std::uint64_t* state, const std::uint64_t* message, std::uint32_t tens) {
  const Schedule schedule = schedule_of(message);
  Rows v{load(state), load(state + 4), load(state + 8), load(state + 12)};
  for (std::uint32_t ten = 0; ten < tens; ten++) {
    for (const auto& words : schedule) {
      mix(v, load(words.data()), load(words.data() + 4));
      v.a = _mm256_permute4x64_epi64(v.a, 0x93);
      v.c = _mm256_permute4x64_epi64(v.c, 0x39);
      v.d = _mm256_permute4x64_epi64(v.d, 0x4e);
      mix(v, load(words.data() + 8), load(words.data() + 12));
      v.a = _mm256_permute4x64_epi64(v.a, 0x39);
      v.c = _mm256_permute4x64_epi64(v.c, 0x93);
      v.d = _mm256_permute4x64_epi64(v.d, 0x4e);
    }
  }
  store(state, v.a);
  store(state + 4, v.b);
  store(state + 8, v.c);
  store(state + 12, v.d);
}

}  // namespace headframe::blake2

HEADFRAME_TARGET_END

namespace headframe::blake2 {

bool has_rounds() {
  const auto levels = xhash::supported_simd();
  return std::find(levels.begin(), levels.end(), xhash::Simd::avx2) != levels.end();
}

}  // namespace headframe::blake2

#else

namespace headframe::blake2 {

bool has_rounds() { return false; }

void ten_rounds(std::uint64_t*, const std::uint64_t*, std::uint32_t) {}

}  // namespace headframe::blake2

#endif
