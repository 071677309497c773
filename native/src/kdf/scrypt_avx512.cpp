// With AVX-512's word rotation, one instruction instead of three.
#include "../xhash/platform.h"
#include "scrypt_group.h"

#if HEADFRAME_X64
#include <immintrin.h>

#include <atomic>
#include <cstring>
#include <utility>

HEADFRAME_TARGET_BEGIN("avx512f,avx512vl")

namespace headframe::kdf {

namespace {

template <int bits>
HEADFRAME_INLINE __m128i rotate(__m128i words) noexcept {
  return _mm_rol_epi32(words, bits);
}

}  // namespace

#include "scrypt_body.h"

}  // namespace headframe::kdf

HEADFRAME_TARGET_END

namespace headframe::kdf {

MixGroup avx512_mixing() noexcept { return mix_group; }

}  // namespace headframe::kdf

#else

namespace headframe::kdf {

MixGroup avx512_mixing() noexcept { return nullptr; }

}  // namespace headframe::kdf

#endif
