#include "power.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "ring.h"

namespace headframe::numbers {

namespace {

/// An exponent of so many bytes is not worth the small powers of the base.
constexpr std::size_t few_bytes = 2;

/// A number as limbs, the lowest first, without zeros at its high end.
Number number_of(Bytes bytes) {
  while (!bytes.empty() && bytes.front() == 0) bytes = bytes.subspan(1);
  Number limbs((bytes.size() + 7) / 8);
  for (std::size_t at = 0; at < bytes.size(); at++) {
    limbs[at / 8] |= static_cast<Limb>(bytes[bytes.size() - 1 - at]) << (8 * (at % 8));
  }
  return limbs;
}

std::vector<std::uint8_t> bytes_of(const Number& limbs, std::size_t length) {
  std::vector<std::uint8_t> bytes(length);
  for (std::size_t at = 0; at < length && at / 8 < limbs.size(); at++) {
    bytes[length - 1 - at] = static_cast<std::uint8_t>(limbs[at / 8] >> (8 * (at % 8)));
  }
  return bytes;
}

/// Powers of the base up to the 15th, each made when it is asked for.
class Table {
public:
  Table(Ring& ring, Number base) : ring_(ring) { powers_[1] = std::move(base); }

  const Number& operator[](std::size_t exponent) {
    for (; known_ < exponent; known_++) ring_.multiply(powers_[known_], powers_[1], powers_[known_ + 1]);
    return powers_[exponent];
  }

private:
  Ring& ring_;
  std::array<Number, 16> powers_;
  std::size_t known_ = 1;
};

}  // namespace

std::vector<std::uint8_t> power(Bytes base, Bytes exponent, Bytes modulus, Bytes begun) {
  const Number divisor = number_of(modulus);
  if (divisor.empty()) return std::vector<std::uint8_t>(modulus.size());
  Ring ring(divisor);
  Table powers(ring, ring.element(number_of(base)));
  Number result = ring.element(begun.empty() ? Number{1} : number_of(begun));
  bool is_one = begun.empty();
  const int digit_bits = exponent.size() <= few_bytes ? 1 : 4;
  for (const std::uint8_t byte : exponent) {
    for (int at = 8 - digit_bits; at >= 0; at -= digit_bits) {
      const std::size_t digit = (byte >> at) & ((1 << digit_bits) - 1);
      for (int square = 0; square < digit_bits && !is_one; square++) ring.square(result);
      if (digit == 0) continue;
      if (is_one) {
        result = powers[digit];
      } else {
        ring.multiply(result, powers[digit], result);
      }
      is_one = false;
    }
  }
  return bytes_of(ring.number(result), modulus.size());
}

}  // namespace headframe::numbers
