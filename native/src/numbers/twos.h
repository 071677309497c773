// Integers modulo a power of two, and the step from there to an even modulus.
#pragma once

#include "limbs.h"

namespace headframe::numbers {

/// Elements are numbers below 2^(64 * limbs), of which only the lowest bits matter in the end.
class Twos {
public:
  /// @param bits of the modulus, at least one
  explicit Twos(std::size_t bits) : bits_(bits), low_((bits + 63) / 64) {}

  /// The element for a number of any size.
  Number element(const Number& number) const;

  /// The number below 2^bits that an element stands for.
  Number number(const Number& element) const;

  Number one() const { return element({1}); }

  /// `out` may be one of the operands.
  void multiply(const Number& one, const Number& other, Number& out);
  void square(Number& element) { multiply(element, element, element); }

private:
  std::size_t bits_;
  Number low_;
};

/// The number below odd * 2^bits that is `rest` modulo `odd` and `low` modulo 2^bits.
Number combined(const Number& odd, const Number& rest, const Number& low, std::size_t bits);

}  // namespace headframe::numbers
