/* Many signers at once: the two inversions of each recovery, a quarter of its time, become two for a whole group. */
#pragma once

#include <include/secp256k1.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /* Digest, r and s of 32 bytes each, then the recovery id, 0 to 3. */
  headframe_recovery_bytes = 97,
  /* x and y of the signer's key, 32 bytes each, behind a byte that is 1 where there is one; else all are 0. */
  headframe_signer_bytes = 65
};

/* Gives what secp256k1_ecdsa_recover gives, signature by signature. */
void headframe_recover_many(const secp256k1_context* context, const unsigned char* items, size_t count,
                            unsigned char* signers);

#ifdef __cplusplus
}
#endif
