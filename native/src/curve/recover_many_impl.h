/* Part of secp256k1.c's translation unit: it needs the library's internal functions. */
#include "recover_many.h"

#include <string.h>

/* A larger group gains nothing. */
#define HEADFRAME_GROUP 16

typedef struct {
  int is_possible;
  secp256k1_scalar r;
  secp256k1_scalar s;
  secp256k1_scalar digest;
  /* The point R of the signature. */
  secp256k1_ge point;
  /* Product of the preceding r in the group. */
  secp256k1_scalar before;
} headframe_recovery;

/* False if no key can have made the signature. */
static int headframe_read_recovery(headframe_recovery* out, const unsigned char* item) {
  const unsigned id = item[96];
  int overflow = 0;
  secp256k1_fe x;
  secp256k1_scalar_set_b32(&out->digest, item, NULL);
  secp256k1_scalar_set_b32(&out->r, item + 32, &overflow);
  if (overflow || secp256k1_scalar_is_zero(&out->r)) return 0;
  secp256k1_scalar_set_b32(&out->s, item + 64, &overflow);
  if (overflow || secp256k1_scalar_is_zero(&out->s) || id > 3) return 0;
  if (!secp256k1_fe_set_b32_limit(&x, item + 32)) return 0;
  if (id & 2) {
    if (secp256k1_fe_cmp_var(&x, &secp256k1_ecdsa_const_p_minus_order) >= 0) return 0;
    secp256k1_fe_add(&x, &secp256k1_ecdsa_const_order_as_fe);
  }
  return secp256k1_ge_set_xo_var(&out->point, &x, id & 1);
}

static void headframe_recover_group(const secp256k1_context* context, const unsigned char* items, size_t count,
                                    unsigned char* signers) {
  headframe_recovery all[HEADFRAME_GROUP];
  secp256k1_gej keys[HEADFRAME_GROUP];
  secp256k1_ge affine[HEADFRAME_GROUP];
  secp256k1_scalar product, inverse;
  size_t i;
  secp256k1_scalar_set_int(&product, 1);
  for (i = 0; i < count; i++) {
    all[i].is_possible = headframe_read_recovery(&all[i], items + i * headframe_recovery_bytes);
    if (!all[i].is_possible) continue;
    all[i].before = product;
    secp256k1_scalar_mul(&product, &product, &all[i].r);
  }
  secp256k1_scalar_inverse_var(&inverse, &product);
  for (i = count; i-- > 0;) {
    secp256k1_scalar r_inverse, of_generator, of_point;
    secp256k1_gej point;
    if (!all[i].is_possible) {
      secp256k1_gej_set_infinity(&keys[i]);
      continue;
    }
    secp256k1_scalar_mul(&r_inverse, &inverse, &all[i].before);
    secp256k1_scalar_mul(&inverse, &inverse, &all[i].r);
    secp256k1_scalar_mul(&of_generator, &r_inverse, &all[i].digest);
    secp256k1_scalar_negate(&of_generator, &of_generator);
    secp256k1_scalar_mul(&of_point, &r_inverse, &all[i].s);
    secp256k1_gej_set_ge(&point, &all[i].point);
    secp256k1_ecmult(&keys[i], &point, &of_point, &of_generator);
  }
  secp256k1_ge_set_all_gej_var(affine, keys, count);
  memset(signers, 0, count * headframe_signer_bytes);
  for (i = 0; i < count; i++) {
    unsigned char* signer = signers + i * headframe_signer_bytes;
    if (secp256k1_gej_is_infinity(&keys[i])) continue;
    signer[0] = 1;
    secp256k1_fe_normalize_var(&affine[i].x);
    secp256k1_fe_normalize_var(&affine[i].y);
    secp256k1_fe_get_b32(signer + 1, &affine[i].x);
    secp256k1_fe_get_b32(signer + 33, &affine[i].y);
  }
}

void headframe_recover_many(const secp256k1_context* context, const unsigned char* items, size_t count,
                            unsigned char* signers) {
  size_t done;
  for (done = 0; done < count; done += HEADFRAME_GROUP) {
    const size_t left = count - done;
    headframe_recover_group(context, items + done * headframe_recovery_bytes,
                            left < HEADFRAME_GROUP ? left : HEADFRAME_GROUP, signers + done * headframe_signer_bytes);
  }
}
