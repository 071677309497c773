// Powers modulo a number of any size, for the chain's built-in contract. Numbers are big-endian bytes of any length.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace headframe::numbers {

using Bytes = std::span<const std::uint8_t>;

/// `begun`^(2^(8 * exponent bytes)) * base^exponent modulo the modulus, as long as the modulus. A long exponent can
/// thus be given in parts, highest first, each result being `begun` of the next. @param begun below the modulus; empty:
/// 1
std::vector<std::uint8_t> power(Bytes base, Bytes exponent, Bytes modulus, Bytes begun);

}  // namespace headframe::numbers
