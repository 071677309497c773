// Kernels for AVX-512: an item is one register and one cache line, eight Keccak states run side by side.
#include "../platform.h"

#if HEADFRAME_X64
// GCC 12's own header uses "undefined" registers in a way that its own -Wuninitialized reports (GCC bug 105593).
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#pragma GCC diagnostic pop
#else
#include <immintrin.h>
#endif

#include <atomic>
#include <cstring>

#include "../fnv.h"
#include "kernels.h"
#include "kernels_table.h"

HEADFRAME_TARGET_BEGIN("avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi,bmi2")

#include "kernel_bodies.h"

namespace headframe::xhash {
namespace {

constexpr int xor_with_masked = 0x78;  ///< a ^ (b & c)
constexpr int xor_of_three = 0x96;     ///< a ^ b ^ c
constexpr int xor_with_andnot = 0xd2;  ///< a ^ (~b & c)

struct Words16 {
  // Many, so that a parent is requested long before it is needed: main memory takes 100 ns and more.
  static constexpr std::size_t group = 96;   ///< dataset items interleaved: 2.1 us a row of an 80 MB cache (16: 6.0)
  static constexpr std::size_t nonces = 64;  ///< hashes interleaved in a search: 2.3 MH/s (16: 1.0)

  __m512i value;

  static HEADFRAME_INLINE Words16 load(const std::uint32_t* p) noexcept { return {_mm512_load_si512(p)}; }
  HEADFRAME_INLINE void store(std::uint32_t* p) const noexcept { _mm512_store_si512(p, value); }
  static HEADFRAME_INLINE Words16 fold(Words16 a, Words16 b) noexcept {
    const __m512i prime = _mm512_set1_epi32(fnv_prime);
    const __m512i low = _mm512_set1_epi32(0xff);
    const __m512i v = b.value;
    __m512i h = _mm512_ternarylogic_epi32(_mm512_mullo_epi32(a.value, prime), v, low, xor_with_masked);
    h = _mm512_ternarylogic_epi32(_mm512_mullo_epi32(h, prime), _mm512_srli_epi32(v, 8), low, xor_with_masked);
    h = _mm512_ternarylogic_epi32(_mm512_mullo_epi32(h, prime), _mm512_srli_epi32(v, 16), low, xor_with_masked);
    return {_mm512_xor_si512(_mm512_mullo_epi32(h, prime), _mm512_srli_epi32(v, 24))};
  }
};

struct Words8x64 {
  static constexpr std::size_t lanes = 8;

  __m512i value;

  static HEADFRAME_INLINE Words8x64 broadcast(std::uint64_t v) noexcept {
    return {_mm512_set1_epi64(static_cast<long long>(v))};
  }
  static HEADFRAME_INLINE Words8x64 load(const std::uint64_t* p) noexcept { return {_mm512_loadu_si512(p)}; }
  HEADFRAME_INLINE void store(std::uint64_t* p) const noexcept { _mm512_storeu_si512(p, value); }
  static HEADFRAME_INLINE Words8x64 xor_words(Words8x64 a, Words8x64 b) noexcept {
    return {_mm512_xor_si512(a.value, b.value)};
  }
  static HEADFRAME_INLINE Words8x64 xor3(Words8x64 a, Words8x64 b, Words8x64 c) noexcept {
    return {_mm512_ternarylogic_epi64(a.value, b.value, c.value, xor_of_three)};
  }
  static HEADFRAME_INLINE Words8x64 chi(Words8x64 a, Words8x64 b, Words8x64 c) noexcept {
    return {_mm512_ternarylogic_epi64(a.value, b.value, c.value, xor_with_andnot)};
  }
  template <int Bits>
  HEADFRAME_INLINE Words8x64 rotate() const noexcept {
    return {_mm512_rol_epi64(value, Bits)};
  }
};

}  // namespace

const Kernels& avx512_kernels() noexcept {
  static constexpr Kernels table = make_kernels<Words16, Words8x64>();
  return table;
}

}  // namespace headframe::xhash

HEADFRAME_TARGET_END
#endif
