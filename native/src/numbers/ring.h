// The whole numbers modulo any of them, by division.
#pragma once

#include <cstddef>

#include "limbs.h"

namespace headframe::numbers {

/// Elements are as long as the modulus, and below it once it is shifted until its highest bit is set: then the
/// quotient's limbs are estimated well enough. Source: D. Knuth, The Art of Computer Programming 4.3.1, algorithm D; N.
/// Möller and T. Granlund, Improved division by invariant integers
class Ring {
public:
  /// @param modulus without zeros at its high end, not zero
  explicit Ring(const Number& modulus);

  Number element(const Number& number);

  /// The number below the modulus that an element stands for.
  Number number(const Number& element);

  /// `out` may be one of the two.
  void multiply(const Number& one, const Number& other, Number& out);
  void square(Number& element);

private:
  /// Takes multiples of the modulus, `at` limbs up, off `wide_` until what is left is below it there.
  void take_off(std::size_t at);
  /// Makes room for a product of `length` limbs.
  void clear(std::size_t length);
  /// What is left of the product of `length` limbs in `wide_`.
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
