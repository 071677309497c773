/*
 * libsecp256k1 as one translation unit, from native/vendor/libsecp256k1: with recovery and ECDH. It chooses the widest
 * arithmetic that the compiler supports by itself. Every symbol stays inside the addon.
 */
#define SECP256K1_STATIC 1
#define ENABLE_MODULE_ECDH 1
#define ENABLE_MODULE_RECOVERY 1

#if defined(__x86_64__) && defined(__GNUC__)
#define USE_ASM_X86_64 1
#endif

#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#endif
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wnonnull-compare"
#endif

#include "src/secp256k1.c"

#include "src/precomputed_ecmult.c"
#include "src/precomputed_ecmult_gen.c"

#include "recover_many_impl.h"
