/*
 * libsecp256k1 as one translation unit, from the sources in the npm package secp256k1: with recovery and ECDH, and the
 * widest arithmetic that the compiler supports. Every symbol stays inside the addon.
 */
#define SECP256K1_API
#define ENABLE_MODULE_ECDH 1
#define ENABLE_MODULE_RECOVERY 1
#define USE_ENDOMORPHISM 1
#define USE_NUM_NONE 1
#define USE_FIELD_INV_BUILTIN 1
#define USE_SCALAR_INV_BUILTIN 1
#define ECMULT_WINDOW_SIZE 15
#define ECMULT_GEN_PREC_BITS 4

#if defined(__SIZEOF_INT128__)
#define HAVE___INT128 1
#define USE_FIELD_5X52 1
#define USE_SCALAR_4X64 1
#if defined(__x86_64__)
#define USE_ASM_X86_64 1
#endif
#else /* MSVC, and 32-bit processors */
#define USE_FIELD_10X26 1
#define USE_SCALAR_8X32 1
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wnonnull-compare"
#endif

#include "src/secp256k1.c"
#include "recover_many_impl.h"
