// Integers modulo any number, by division.
#pragma once

#include <cstddef>

#include "limbs.h"

namespace headframe::numbers {

/// Elements are as long as the modulus, and below it once it is shifted until its highest bit is set: then the
/// quotient's limbs are estimated well enough. Source: D. Knuth, The Art of Computer Programming 4.3.1, algorithm D; N.
/// Möller and T. Granlund, Improved division by invariant integers
class Ring {
public:
  /// @param modulus without leading zero limbs, not zero
  explicit Ring(const Number& modulus);

  Number element(const Number& number);

  /// The number below the modulus that an element stands for.
  Number number(const Number& element);

  /// `out` may be one of the operands.
  void multiply(const Number& one, const Number& other, Number& out);
  void square(Number& element);

private:
  /// Subtracts multiples of the modulus, shifted by `at` limbs, from `wide_` until the remainder there is below it.
  void take_off(std::size_t at);
  /// Zeroes `wide_` for a product of `length` limbs.
  void clear(std::size_t length);
  /// The remainder of the product of `length` limbs in `wide_`.
  void reduce(std::size_t length, Number& out);
  Limb quotient(Limb high, Limb middle, Limb low) const;

  Number modulus_;  ///< shifted
  Number lack_;     ///< 2^(64 size_) - the shifted modulus
  Number wide_;
  std::size_t size_;
  int shift_;
  Limb inverse_;  ///< (2^128 - 1) / the highest limb, without its 2^64
};

}  // namespace headframe::numbers
