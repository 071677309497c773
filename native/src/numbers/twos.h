// The whole numbers modulo a power of two, and the step from there to an even modulus.
#pragma once

#include "limbs.h"

namespace headframe::numbers {

/// Elements are numbers below 2^(64 limbs), of which only the lowest bits are asked for in the end.
class Twos {
public:
  /// @param bits of the numbers, at least one
  explicit Twos(std::size_t bits) : bits_(bits), low_((bits + 63) / 64) {}

  /// Of a number of any size.
  Number element(const Number& number) const;

  /// The number below 2^bits that an element stands for.
  Number number(const Number& element) const;

  Number one() const { return element({1}); }

  /// `out` may be one of the two.
  void multiply(const Number& one, const Number& other, Number& out);
  void square(Number& element) { multiply(element, element, element); }

private:
  std::size_t bits_;
  Number low_;
};

/// The number that is `rest` modulo `odd` and `low` modulo 2^bits, and below their product.
Number combined(const Number& odd, const Number& rest, const Number& low, std::size_t bits);

}  // namespace headframe::numbers
