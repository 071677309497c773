// The sponge hashes of the chain: NIST SHA-3 for the proof of work, Keccak-256 with Ethereum's padding for everything
// else.
#pragma once

#include <cstdint>
#include <span>

#include "../types.h"

namespace headframe::xhash {

/// The permutation on 25 words, x + 5y. Source: FIPS 202.
void keccak_f1600(std::uint64_t (&state)[25]) noexcept;

/// NIST SHA3-256 (padding 0x06).
[[nodiscard]] Hash256 sha3_256(std::span<const std::uint8_t> data) noexcept;

/// NIST SHA3-512 (padding 0x06).
[[nodiscard]] Hash512 sha3_512(std::span<const std::uint8_t> data) noexcept;

/// Keccak-256 as Ethereum uses it (padding 0x01): transaction, block and storage hashes.
[[nodiscard]] Hash256 keccak_256(std::span<const std::uint8_t> data) noexcept;

}  // namespace headframe::xhash
