/*
 * Recovers many signers at once: the two inversions of each recovery, a quarter of its time, become two for a whole
 * group.
 */
#pragma once

#include <include/secp256k1.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  /* Digest, r and s of 32 bytes each, then the recovery id, 0 to 3. */
  headframe_recovery_bytes = 97,
  /* A byte 1 and the x and y of the signer's key, 32 bytes each; all zeros if there is none. */
  headframe_signer_bytes = 65
};

/* The same as secp256k1_ecdsa_recover, signature by signature. */
void headframe_recover_many(const secp256k1_context* context, const unsigned char* items, size_t count,
                            unsigned char* signers);

#ifdef __cplusplus
}
#endif
