// Kernels for AVX2: an item is two 256-bit registers, four Keccak states run side by side.
#include "../platform.h"

#if HEADFRAME_X64
#include <immintrin.h>

#include <atomic>
#include <cstring>

#include "../fnv.h"
#include "kernels.h"
#include "kernels_table.h"

HEADFRAME_TARGET_BEGIN("avx2,bmi,bmi2")

#include "kernel_bodies.h"

namespace headframe::xhash {
namespace {

HEADFRAME_INLINE __m256i fold8(__m256i h, __m256i v) noexcept {
  const __m256i prime = _mm256_set1_epi32(fnv_prime);
  const __m256i low = _mm256_set1_epi32(0xff);
  h = _mm256_xor_si256(_mm256_mullo_epi32(h, prime), _mm256_and_si256(v, low));
  h = _mm256_xor_si256(_mm256_mullo_epi32(h, prime), _mm256_and_si256(_mm256_srli_epi32(v, 8), low));
  h = _mm256_xor_si256(_mm256_mullo_epi32(h, prime), _mm256_and_si256(_mm256_srli_epi32(v, 16), low));
  return _mm256_xor_si256(_mm256_mullo_epi32(h, prime), _mm256_srli_epi32(v, 24));
}

struct Words16 {
  // Many, so that a parent is requested long before it is needed: main memory takes 100 ns and more.
  static constexpr std::size_t group = 96;   ///< dataset items interleaved: 1.9 us a row (8: 3; larger caches 4 times)
  static constexpr std::size_t nonces = 64;  ///< hashes interleaved in a search

  __m256i low;
  __m256i high;

  static HEADFRAME_INLINE Words16 load(const std::uint32_t* p) noexcept {
    return {_mm256_load_si256(reinterpret_cast<const __m256i*>(p)),
            _mm256_load_si256(reinterpret_cast<const __m256i*>(p + 8))};
  }
  HEADFRAME_INLINE void store(std::uint32_t* p) const noexcept {
    _mm256_store_si256(reinterpret_cast<__m256i*>(p), low);
    _mm256_store_si256(reinterpret_cast<__m256i*>(p + 8), high);
  }
  static HEADFRAME_INLINE Words16 fold(Words16 h, Words16 v) noexcept {
    return {fold8(h.low, v.low), fold8(h.high, v.high)};
  }
};

struct Words4x64 {
  static constexpr std::size_t lanes = 4;

  __m256i value;

  static HEADFRAME_INLINE Words4x64 broadcast(std::uint64_t v) noexcept {
    return {_mm256_set1_epi64x(static_cast<long long>(v))};
  }
  static HEADFRAME_INLINE Words4x64 load(const std::uint64_t* p) noexcept {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(p))};
  }
  HEADFRAME_INLINE void store(std::uint64_t* p) const noexcept {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), value);
  }
  static HEADFRAME_INLINE Words4x64 xor_words(Words4x64 a, Words4x64 b) noexcept {
    return {_mm256_xor_si256(a.value, b.value)};
  }
  static HEADFRAME_INLINE Words4x64 xor3(Words4x64 a, Words4x64 b, Words4x64 c) noexcept {
    return {_mm256_xor_si256(_mm256_xor_si256(a.value, b.value), c.value)};
  }
  static HEADFRAME_INLINE Words4x64 chi(Words4x64 a, Words4x64 b, Words4x64 c) noexcept {
    return {_mm256_xor_si256(a.value, _mm256_andnot_si256(b.value, c.value))};
  }
  template <int Bits>
  HEADFRAME_INLINE Words4x64 rotate() const noexcept {
    return {_mm256_or_si256(_mm256_slli_epi64(value, Bits), _mm256_srli_epi64(value, 64 - Bits))};
  }
};

}  // namespace

const Kernels& avx2_kernels() noexcept {
  static constexpr Kernels table = make_kernels<Words16, Words4x64>();
  return table;
}

}  // namespace headframe::xhash

HEADFRAME_TARGET_END
#endif
