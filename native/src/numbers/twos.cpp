#include "twos.h"

#include <algorithm>

namespace headframe::numbers {

Number Twos::element(const Number& number) const {
  Number out(number.begin(), number.begin() + std::min(number.size(), low_.size()));
  out.resize(low_.size());
  return out;
}

Number Twos::number(const Number& element) const {
  Number out = element;
  if (bits_ % 64 != 0) out.back() &= (Limb{1} << (bits_ % 64)) - 1;
  return out;
}

void Twos::multiply(const Number& one, const Number& other, Number& out) {
  std::fill(low_.begin(), low_.end(), 0);
  for (std::size_t i = 0; i < low_.size(); i++) add_product(&low_[i], other.data(), low_.size() - i, one[i]);
  out = low_;
}

Number combined(const Number& odd, const Number& rest, const Number& low, std::size_t bits) {
  // Solves `rest` - `low` + factor * `odd` = 0 modulo 2^bits for the factor, limb by limb from the lowest.
  Twos ring(bits);
  Number gap = ring.element(rest);
  Limb borrow = 0;
  for (std::size_t i = 0; i < gap.size(); i++) {
    const Limb limb = gap[i] - low[i] - borrow;
    borrow = limb > gap[i] || (borrow != 0 && limb == gap[i]);
    gap[i] = limb;
  }
  const Limb inverse = negative_inverse(odd.front());
  Number factor(gap.size());
  for (std::size_t i = 0; i < gap.size(); i++) {
    factor[i] = gap[i] * inverse;
    const std::size_t count = std::min(odd.size(), gap.size() - i);
    const Limb carry = add_product(&gap[i], odd.data(), count, factor[i]);
    add_carry(gap.data() + i + count, gap.size() - i - count, carry);
  }
  Number sum(odd.size() + gap.size());
  write_product(sum.data(), ring.number(factor), odd);
  Number wide_rest = rest;
  wide_rest.resize(sum.size());
  add_product(sum.data(), wide_rest.data(), sum.size(), 1);
  return sum;
}

}  // namespace headframe::numbers
