// Limbs of 64 bits, lowest first, and the two operations that all arithmetic on long numbers consists of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headframe::numbers {

using Limb = std::uint64_t;
using Number = std::vector<Limb>;

struct Wide {
  Limb high;
  Limb low;
};

/// x * y + addend + carry, which always fits in 128 bits.
inline Wide product(Limb x, Limb y, Limb addend, Limb carry) {
#if defined(__SIZEOF_INT128__)
  __extension__ using Double = unsigned __int128;
  const Double sum = static_cast<Double>(x) * y + addend + carry;
  return {static_cast<Limb>(sum >> 64), static_cast<Limb>(sum)};
#else
  const auto low_of = [](Limb limb) { return limb & 0xffffffff; };
  const Limb low = low_of(x) * low_of(y);
  const Limb one = (x >> 32) * low_of(y) + (low >> 32);
  const Limb other = low_of(x) * (y >> 32) + low_of(one);
  Wide sum{(x >> 32) * (y >> 32) + (one >> 32) + (other >> 32), (other << 32) | low_of(low)};
  for (const Limb more : {addend, carry}) {
    sum.low += more;
    sum.high += sum.low < more;
  }
  return sum;
#endif
}

/// Adds `factor` times the `count` limbs at `from` to those at `to`. @return the carry into the next limb
Limb add_product(Limb* to, const Limb* from, std::size_t count, Limb factor);

/// Writes the square of `count` limbs into 2 * `count` zeros at `to`.
void write_square(Limb* to, const Limb* from, std::size_t count);

/// Writes the product of two numbers into as many zeros at `to` as they have limbs together.
void write_product(Limb* to, const Number& one, const Number& other);

/// Adds `carry` to the number at `to`. @param count its limbs @return the carry out of the last limb
inline Limb add_carry(Limb* to, std::size_t count, Limb carry) {
  for (std::size_t i = 0; i < count && carry != 0; i++) {
    to[i] += carry;
    carry = to[i] < carry;
  }
  return carry;
}

/// -1 / `odd` modulo 2^64.
constexpr Limb negative_inverse(Limb odd) {
  Limb inverse = odd;  // correct in three bits; each step doubles them
  for (int step = 0; step < 5; step++) inverse *= 2 - odd * inverse;
  return ~inverse + 1;
}

}  // namespace headframe::numbers
