// The mixing of scrypt (RFC 7914, section 5: scryptROMix), which is nearly all of its work. Several blocks are mixed in
// parallel, so that one computes while another waits for memory or results.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace headframe::kdf {

/// Whether this processor supports `mix_blocks`.
[[nodiscard]] bool can_mix() noexcept;

enum class Mixing : std::uint8_t { done, no_memory, cancelled };

/// Mixes each block of 128 * r bytes in place; temporary memory is wiped.
/// @param blocks a multiple of 128 * r bytes @param n a power of two, 2 to 2^24 @param cancelled polled some 1,000
/// times a second
[[nodiscard]] Mixing mix_blocks(std::span<std::uint8_t> blocks, std::size_t n, std::size_t r,
                                const std::atomic<bool>& cancelled);

}  // namespace headframe::kdf
