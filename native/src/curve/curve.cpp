#include "curve.h"

#include "recover_many.h"

#include <include/secp256k1.h>
#include <include/secp256k1_ecdh.h>
#include <include/secp256k1_recovery.h>

#include <algorithm>
#include <cstring>
#include <random>

namespace headframe::curve {

namespace {

constexpr std::uint8_t uncompressed = 4;  ///< first byte of a key in full

/// libsecp256k1's default reaction to an illegal argument is abort(); its functions also return 0, which is enough
/// here.
void ignore(const char* /*message*/, void* /*data*/) {}

/// Its tables take a few milliseconds to build once, and are only read afterwards.
const secp256k1_context* context() {
  static const secp256k1_context* const shared = [] {
    secp256k1_context* const made = secp256k1_context_create(SECP256K1_CONTEXT_SIGN | SECP256K1_CONTEXT_VERIFY);
    secp256k1_context_set_illegal_callback(made, ignore, nullptr);
    // Blinds the arithmetic on secret keys against side channels; results stay the same.
    std::random_device entropy;
    std::array<unsigned char, 32> seed;
    std::generate(seed.begin(), seed.end(), [&] { return static_cast<unsigned char>(entropy()); });
    (void)secp256k1_context_randomize(made, seed.data());
    return made;
  }();
  return shared;
}

PublicKey bytes_of(const secp256k1_pubkey& key) {
  std::array<std::uint8_t, 65> full{};
  std::size_t length = full.size();
  secp256k1_ec_pubkey_serialize(context(), full.data(), &length, &key, SECP256K1_EC_UNCOMPRESSED);
  PublicKey bytes;
  std::copy(full.begin() + 1, full.end(), bytes.begin());
  return bytes;
}

std::optional<secp256k1_pubkey> key_of(Bytes64 bytes) {
  std::array<std::uint8_t, 65> full{uncompressed};
  std::copy(bytes.begin(), bytes.end(), full.begin() + 1);
  secp256k1_pubkey key;
  if (secp256k1_ec_pubkey_parse(context(), &key, full.data(), full.size()) == 0) return std::nullopt;
  return key;
}

int copy_x(unsigned char* out, const unsigned char* x, const unsigned char* /*y*/, void* /*data*/) {
  std::memcpy(out, x, 32);
  return 1;
}

}  // namespace

bool is_secret_key(Bytes32 secret) { return secp256k1_ec_seckey_verify(context(), secret.data()) == 1; }

std::optional<PublicKey> public_key(Bytes32 secret) {
  secp256k1_pubkey key;
  if (secp256k1_ec_pubkey_create(context(), &key, secret.data()) == 0) return std::nullopt;
  return bytes_of(key);
}

std::optional<PublicKey> expand_key(Bytes33 compressed) {
  secp256k1_pubkey key;
  if (secp256k1_ec_pubkey_parse(context(), &key, compressed.data(), compressed.size()) == 0) return std::nullopt;
  return bytes_of(key);
}

std::optional<RecoverableSignature> sign(Bytes32 digest, Bytes32 secret) {
  secp256k1_ecdsa_recoverable_signature signature;
  const int made =
      secp256k1_ecdsa_sign_recoverable(context(), &signature, digest.data(), secret.data(), nullptr, nullptr);
  if (made == 0) return std::nullopt;
  RecoverableSignature bytes{};
  int id = 0;
  secp256k1_ecdsa_recoverable_signature_serialize_compact(context(), bytes.data(), &id, &signature);
  bytes[64] = static_cast<std::uint8_t>(id);
  return bytes;
}

std::optional<PublicKey> recover(Bytes32 digest, Bytes64 signature, unsigned id) {
  if (id > 3) return std::nullopt;
  secp256k1_ecdsa_recoverable_signature parsed;
  const int number = static_cast<int>(id);
  if (secp256k1_ecdsa_recoverable_signature_parse_compact(context(), &parsed, signature.data(), number) == 0) {
    return std::nullopt;
  }
  secp256k1_pubkey key;
  if (secp256k1_ecdsa_recover(context(), &key, &parsed, digest.data()) == 0) return std::nullopt;
  return bytes_of(key);
}

std::vector<std::optional<PublicKey>> recover_many(std::span<const std::uint8_t> items) {
  static_assert(recovery_bytes == headframe_recovery_bytes);
  const std::size_t count = items.size() / recovery_bytes;
  std::vector<std::uint8_t> signers(count * headframe_signer_bytes);
  headframe_recover_many(context(), items.data(), count, signers.data());
  std::vector<std::optional<PublicKey>> keys(count);
  for (std::size_t i = 0; i < count; ++i) {
    const auto signer = std::span(signers).subspan(i * headframe_signer_bytes, headframe_signer_bytes);
    if (signer[0] == 0) continue;
    std::copy(signer.begin() + 1, signer.end(), keys[i].emplace().begin());
  }
  return keys;
}

bool verify(Bytes32 digest, Bytes64 signature, Bytes64 key) {
  const auto signer = key_of(key);
  if (!signer) return false;
  secp256k1_ecdsa_signature parsed;
  if (secp256k1_ecdsa_signature_parse_compact(context(), &parsed, signature.data()) == 0) return false;
  return secp256k1_ecdsa_verify(context(), &parsed, digest.data(), &*signer) == 1;
}

std::optional<std::array<std::uint8_t, 32>> shared_x(Bytes32 secret, Bytes64 key) {
  const auto other = key_of(key);
  if (!other) return std::nullopt;
  std::array<std::uint8_t, 32> x;
  if (secp256k1_ecdh(context(), x.data(), &*other, secret.data(), copy_x, nullptr) == 0) return std::nullopt;
  return x;
}

}  // namespace headframe::curve
