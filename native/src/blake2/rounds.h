// The rounds of BLAKE2b, any number of them, for the chain's built-in contract. Source: RFC 7693, EIP-152
#pragma once

#include <cstdint>

namespace headframe::blake2 {

/// False if the processor lacks the instructions of `ten_rounds`.
[[nodiscard]] bool has_rounds();

/// Ten rounds, `tens` times; only if `has_rounds`.
/// @param state 16 words, changed in place @param message 16 words
void ten_rounds(std::uint64_t* state, const std::uint64_t* message, std::uint32_t tens);

}  // namespace headframe::blake2
