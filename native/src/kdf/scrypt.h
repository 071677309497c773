// The mixing of scrypt (RFC 7914, section 5: scryptROMix), which is nearly all of its work. Several blocks go side by
// side, so that one's waiting for memory and for results is another's computing.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <span>

namespace headframe::kdf {

/// Whether this processor has what `mix_blocks` is written for.
[[nodiscard]] bool can_mix() noexcept;

enum class Mixing : std::uint8_t { done, no_memory, cancelled };

/// Mixes each block of 128 * r bytes in place; what it wrote to memory beside them is wiped.
/// @param blocks a multiple of 128 * r bytes @param n a power of two, 2 to 2^24 @param cancelled looked at some 1,000
/// times a second
[[nodiscard]] Mixing mix_blocks(std::span<std::uint8_t> blocks, std::size_t n, std::size_t r,
                                const std::atomic<bool>& cancelled);

}  // namespace headframe::kdf
