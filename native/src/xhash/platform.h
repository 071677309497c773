// Compiler differences, in one place: forced inlining, prefetch, wide products, per-file instruction sets.
#pragma once

#include <cstdint>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#define HEADFRAME_INLINE __forceinline
#define HEADFRAME_PREFETCH(address) _mm_prefetch(reinterpret_cast<const char*>(address), _MM_HINT_T0)
#else
#define HEADFRAME_INLINE inline __attribute__((always_inline))
#define HEADFRAME_PREFETCH(address) __builtin_prefetch(address)
#endif

#if defined(__x86_64__) || defined(_M_X64)
#define HEADFRAME_X64 1
#else
#define HEADFRAME_X64 0
#endif

// Functions between BEGIN and END may use the instruction set; the rest of the file stays on the baseline, so that no
// inline function of a standard header is compiled for a processor that lacks it. MSVC needs no switch.
#define HEADFRAME_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define HEADFRAME_TARGET_BEGIN(isa) \
  HEADFRAME_PRAGMA(clang attribute push(__attribute__((target(isa))), apply_to = function))
#define HEADFRAME_TARGET_END _Pragma("clang attribute pop")
#elif defined(__GNUC__)
#define HEADFRAME_TARGET_BEGIN(isa) _Pragma("GCC push_options") HEADFRAME_PRAGMA(GCC target(isa))
#define HEADFRAME_TARGET_END _Pragma("GCC pop_options")
#else
#define HEADFRAME_TARGET_BEGIN(isa)
#define HEADFRAME_TARGET_END
#endif

namespace headframe::xhash {

/// High 64 bits of the 128-bit product.
HEADFRAME_INLINE std::uint64_t multiply_high(std::uint64_t a, std::uint64_t b) noexcept {
#if defined(_MSC_VER) && !defined(__clang__)
  return __umulh(a, b);
#else
  return static_cast<std::uint64_t>((static_cast<unsigned __int128>(a) * b) >> 64);
#endif
}

}  // namespace headframe::xhash
