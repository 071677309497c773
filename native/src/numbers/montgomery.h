// Integers modulo an odd number, without division.
#pragma once

#include "limbs.h"

namespace headframe::numbers {

/// Elements are numbers below the modulus, times 2^(64 * limbs of the modulus). Source: P. Montgomery, Modular
/// multiplication without trial division
class Montgomery {
public:
  /// @param modulus odd, above 1, without leading zero limbs
  explicit Montgomery(const Number& modulus);

  /// The element for a number of any size.
  Number element(const Number& number);

  /// The number below the modulus that an element stands for.
  Number number(const Number& element);

  const Number& one() const { return one_; }

  /// `out` may be one of the operands.
  void multiply(const Number& one, const Number& other, Number& out);
  void square(Number& element);

private:
  /// Montgomery reduction: `wide_` divided by 2^(64 * limbs).
  void reduce(Number& out);

  Number modulus_;
  Number wide_;
  Limb negative_inverse_;
  Number one_;
  Number radix_;  ///< 2^(64 limbs), as an element
};

}  // namespace headframe::numbers
