// Keccak-f[1600] once, for any word type: uint64 for one state, vectors of uint64 for 4 or 8 states side by side. A
// word type V has: xor_words, xor3, rotate<n>, chi(a, b, c) = a ^ (~b & c), and broadcast(uint64). Included by kernel
// files after they have enabled their instruction set: every function here is a template on V.
#pragma once

#include <cstdint>

#include "../platform.h"

namespace headframe::xhash {

inline constexpr std::uint64_t keccak_round_constants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

template <class V>
struct Keccak {
  static HEADFRAME_INLINE void row(V* e, const V (&b)[5]) noexcept {
    e[0] = V::chi(b[0], b[1], b[2]);
    e[1] = V::chi(b[1], b[2], b[3]);
    e[2] = V::chi(b[2], b[3], b[4]);
    e[3] = V::chi(b[3], b[4], b[0]);
    e[4] = V::chi(b[4], b[0], b[1]);
  }

  template <int Bits>
  static HEADFRAME_INLINE V moved(V a, V d) noexcept {
    return V::xor_words(a, d).template rotate<Bits>();
  }

  static HEADFRAME_INLINE V column(const V* a) noexcept { return V::xor3(V::xor3(a[0], a[5], a[10]), a[15], a[20]); }

  /// One round from `a` to `e`: theta, then rho, pi and chi row by row, so that few words are live at a time.
  static HEADFRAME_INLINE void round(const V* a, V* e, std::uint64_t constant) noexcept {
    const V c0 = column(a), c1 = column(a + 1), c2 = column(a + 2), c3 = column(a + 3), c4 = column(a + 4);
    const V d0 = V::xor_words(c4, c1.template rotate<1>());
    const V d1 = V::xor_words(c0, c2.template rotate<1>());
    const V d2 = V::xor_words(c1, c3.template rotate<1>());
    const V d3 = V::xor_words(c2, c4.template rotate<1>());
    const V d4 = V::xor_words(c3, c0.template rotate<1>());
    row(e, {V::xor_words(a[0], d0), moved<44>(a[6], d1), moved<43>(a[12], d2), moved<21>(a[18], d3),
            moved<14>(a[24], d4)});
    e[0] = V::xor_words(e[0], V::broadcast(constant));
    row(e + 5,
        {moved<28>(a[3], d3), moved<20>(a[9], d4), moved<3>(a[10], d0), moved<45>(a[16], d1), moved<61>(a[22], d2)});
    row(e + 10,
        {moved<1>(a[1], d1), moved<6>(a[7], d2), moved<25>(a[13], d3), moved<8>(a[19], d4), moved<18>(a[20], d0)});
    row(e + 15,
        {moved<27>(a[4], d4), moved<36>(a[5], d0), moved<10>(a[11], d1), moved<15>(a[17], d2), moved<56>(a[23], d3)});
    row(e + 20,
        {moved<62>(a[2], d2), moved<55>(a[8], d3), moved<39>(a[14], d4), moved<41>(a[15], d0), moved<2>(a[21], d1)});
  }

  static HEADFRAME_INLINE void permute(V (&state)[25]) noexcept {
    V other[25];
    for (int r = 0; r < 24; r += 2) {
      round(state, other, keccak_round_constants[r]);
      round(other, state, keccak_round_constants[r + 1]);
    }
  }
};

}  // namespace headframe::xhash
