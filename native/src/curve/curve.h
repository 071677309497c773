// Keys and signatures of secp256k1 by libsecp256k1. All input may come from strangers: bytes that aren't a key or a
// signature give nothing. Safe to call from several threads at once. Public keys are x and y, 64 bytes, big-endian.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace headframe::curve {

using Bytes32 = std::span<const std::uint8_t, 32>;
using Bytes33 = std::span<const std::uint8_t, 33>;
using Bytes64 = std::span<const std::uint8_t, 64>;
using PublicKey = std::array<std::uint8_t, 64>;

/// r and s of 32 bytes, then the parity of R's y.
using RecoverableSignature = std::array<std::uint8_t, 65>;

bool is_secret_key(Bytes32 secret);
std::optional<PublicKey> public_key(Bytes32 secret);

/// The full form of a 33-byte key that begins with 2 or 3.
std::optional<PublicKey> expand_key(Bytes33 compressed);

/// Nonces of RFC 6979, low s.
std::optional<RecoverableSignature> sign(Bytes32 digest, Bytes32 secret);

/// Recovers the signer. @param id 0 to 3: parity of R's y, plus 2 when its x is r + order
std::optional<PublicKey> recover(Bytes32 digest, Bytes64 signature, unsigned id);

/// Digest, r and s of 32 bytes each, then the recovery id.
constexpr std::size_t recovery_bytes = 97;

/// Recovers the signer of each signature in `items`, in order: the same as `recover`, in three quarters of its time.
/// @param items recovery_bytes for each signature
std::vector<std::optional<PublicKey>> recover_many(std::span<const std::uint8_t> items);

/// Of the two signatures that differ in the sign of s, only the lower one is valid.
bool verify(Bytes32 digest, Bytes64 signature, Bytes64 key);

/// The x coordinate of the shared point.
std::optional<std::array<std::uint8_t, 32>> shared_x(Bytes32 secret, Bytes64 key);

}  // namespace headframe::curve
