// Included once per instruction set, between HEADFRAME_TARGET_BEGIN and END, after a `rotate<BITS>(__m128i)` for that
// set. No include guard: each file gets its own copy.
//
// A Salsa20 block is four vectors, one per diagonal of its 4 x 4 words, so that a round is four steps on whole vectors.

namespace {

struct Words {
  __m128i part[4];
};

HEADFRAME_INLINE Words sum(const Words& a, const Words& b) noexcept {
  return {{_mm_add_epi32(a.part[0], b.part[0]), _mm_add_epi32(a.part[1], b.part[1]),
           _mm_add_epi32(a.part[2], b.part[2]), _mm_add_epi32(a.part[3], b.part[3])}};
}

HEADFRAME_INLINE Words both(const Words& a, const Words& b) noexcept {
  return {{_mm_xor_si128(a.part[0], b.part[0]), _mm_xor_si128(a.part[1], b.part[1]),
           _mm_xor_si128(a.part[2], b.part[2]), _mm_xor_si128(a.part[3], b.part[3])}};
}

template <int bits>
HEADFRAME_INLINE __m128i step(__m128i into, __m128i one, __m128i other) noexcept {
  return _mm_xor_si128(into, rotate<bits>(_mm_add_epi32(one, other)));
}

/// Salsa20/8 on each lane.
template <int lanes>
HEADFRAME_INLINE void salsa(Words* state) noexcept {
  Words x[lanes];
  for (int i = 0; i < lanes; i++) x[i] = state[i];
  for (int round = 0; round < 8; round += 2) {
    for (int i = 0; i < lanes; i++) x[i].part[1] = step<7>(x[i].part[1], x[i].part[0], x[i].part[3]);
    for (int i = 0; i < lanes; i++) x[i].part[2] = step<9>(x[i].part[2], x[i].part[1], x[i].part[0]);
    for (int i = 0; i < lanes; i++) x[i].part[3] = step<13>(x[i].part[3], x[i].part[2], x[i].part[1]);
    for (int i = 0; i < lanes; i++) x[i].part[0] = step<18>(x[i].part[0], x[i].part[3], x[i].part[2]);
    for (int i = 0; i < lanes; i++) {  // columns become rows
      x[i].part[1] = _mm_shuffle_epi32(x[i].part[1], 0x93);
      x[i].part[2] = _mm_shuffle_epi32(x[i].part[2], 0x4e);
      x[i].part[3] = _mm_shuffle_epi32(x[i].part[3], 0x39);
    }
    for (int i = 0; i < lanes; i++) x[i].part[3] = step<7>(x[i].part[3], x[i].part[0], x[i].part[1]);
    for (int i = 0; i < lanes; i++) x[i].part[2] = step<9>(x[i].part[2], x[i].part[3], x[i].part[0]);
    for (int i = 0; i < lanes; i++) x[i].part[1] = step<13>(x[i].part[1], x[i].part[2], x[i].part[3]);
    for (int i = 0; i < lanes; i++) x[i].part[0] = step<18>(x[i].part[0], x[i].part[1], x[i].part[2]);
    for (int i = 0; i < lanes; i++) {
      x[i].part[3] = _mm_shuffle_epi32(x[i].part[3], 0x93);
      x[i].part[2] = _mm_shuffle_epi32(x[i].part[2], 0x4e);
      x[i].part[1] = _mm_shuffle_epi32(x[i].part[1], 0x39);
    }
  }
  for (int i = 0; i < lanes; i++) state[i] = sum(state[i], x[i]);
}

/// scryptBlockMix of `in`, XORed with `with` if given. @param size words per block: 2 * r
template <int lanes, bool has_with>
HEADFRAME_INLINE void mix_once(const Words* const* in, const Words* const* with, Words* const* out,
                               std::size_t size) noexcept {
  Words state[lanes];
  for (int i = 0; i < lanes; i++) {
    state[i] = in[i][size - 1];
    if constexpr (has_with) state[i] = both(state[i], with[i][size - 1]);
  }
  for (std::size_t k = 0; k < size; k++) {
    const std::size_t place = (k >> 1) + (k & 1) * (size / 2);  // even ones first, then odd ones
    for (int i = 0; i < lanes; i++) {
      state[i] = both(state[i], in[i][k]);
      if constexpr (has_with) state[i] = both(state[i], with[i][k]);
    }
    salsa<lanes>(state);
    for (int i = 0; i < lanes; i++) out[i][place] = state[i];
  }
}

constexpr std::size_t look_every = 256;  ///< steps between checks of `cancelled`

/// @returns false: cancelled
template <int lanes>
bool mix_lanes(const Group& group, const std::atomic<bool>& cancelled) noexcept {
  auto* const blocks = reinterpret_cast<Words*>(group.blocks);
  auto* const table = reinterpret_cast<Words*>(group.table);
  auto* const spare = reinterpret_cast<Words*>(group.spare);
  const std::size_t n = group.n;
  const std::size_t size = group.size;
  const Words* in[lanes];
  const Words* with[lanes];
  Words* out[lanes];
  Words* next[lanes];
  for (int i = 0; i < lanes; i++) {
    std::memcpy(table + i * n * size, blocks + i * size, size * sizeof(Words));
    out[i] = blocks + i * size;
    next[i] = spare + i * size;
  }
  for (std::size_t k = 0; k < n; k++) {
    if (k % look_every == 0 && cancelled.load(std::memory_order_relaxed)) return false;
    Words* made[lanes];
    for (int i = 0; i < lanes; i++) {
      in[i] = table + (i * n + k) * size;
      made[i] = k + 1 < n ? table + (i * n + k + 1) * size : out[i];
    }
    mix_once<lanes, false>(in, with, made, size);
  }
  for (std::size_t k = 0; k < n; k++) {
    if (k % look_every == 0 && cancelled.load(std::memory_order_relaxed)) return false;
    for (int i = 0; i < lanes; i++) {
      // Integerify: the first word of the last 64 bytes.
      const auto word = static_cast<std::uint32_t>(_mm_cvtsi128_si32(out[i][size - 1].part[0]));
      with[i] = table + (i * n + (word & (n - 1))) * size;
      in[i] = out[i];
    }
    mix_once<lanes, true>(in, with, next, size);
    for (int i = 0; i < lanes; i++) std::swap(out[i], next[i]);
  }
  return true;  // n is even: the result is in `blocks` again
}

bool mix_group(const Group& group, const std::atomic<bool>& cancelled) noexcept {
  switch (group.lanes) {
    case 3: return mix_lanes<3>(group, cancelled);
    case 2: return mix_lanes<2>(group, cancelled);
    default: return mix_lanes<1>(group, cancelled);
  }
}

}  // namespace
