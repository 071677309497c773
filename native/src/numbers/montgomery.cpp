#include "montgomery.h"

#include <algorithm>

#include "ring.h"

namespace headframe::numbers {

namespace {

Number power_of_two(std::size_t limbs) {
  Number number(limbs + 1);
  number.back() = 1;
  return number;
}

Number remainder(const Number& number, const Number& modulus) {
  Ring ring(modulus);
  return ring.number(ring.element(number));
}

}  // namespace

Montgomery::Montgomery(const Number& modulus)
    : modulus_(modulus),
      wide_(2 * modulus.size()),
      negative_inverse_(negative_inverse(modulus.front())),
      one_(remainder(power_of_two(modulus.size()), modulus)),
      radix_(remainder(power_of_two(2 * modulus.size()), modulus)) {}

Number Montgomery::element(const Number& number) {
  Number rest = remainder(number, modulus_);
  multiply(rest, radix_, rest);
  return rest;
}

Number Montgomery::number(const Number& element) {
  std::copy(element.begin(), element.end(), wide_.begin());
  std::fill(wide_.begin() + element.size(), wide_.end(), 0);
  Number out;
  reduce(out);
  return out;
}

void Montgomery::multiply(const Number& one, const Number& other, Number& out) {
  std::fill(wide_.begin(), wide_.end(), 0);
  write_product(wide_.data(), one, other);
  reduce(out);
}

void Montgomery::square(Number& element) {
  std::fill(wide_.begin(), wide_.end(), 0);
  write_square(wide_.data(), element.data(), element.size());
  reduce(element);
}

void Montgomery::reduce(Number& out) {
  const std::size_t size = modulus_.size();
  Limb over = 0;
  for (std::size_t i = 0; i < size; i++) {
    const Limb carry = add_product(&wide_[i], modulus_.data(), size, wide_[i] * negative_inverse_);
    const Wide sum = product(1, carry, wide_[i + size], over);
    wide_[i + size] = sum.low;
    over = sum.high;
  }
  const auto rest = wide_.begin() + size;
  const bool is_below =
      std::lexicographical_compare(wide_.rbegin(), wide_.rbegin() + size, modulus_.rbegin(), modulus_.rend());
  if (over != 0 || !is_below) {
    Limb borrow = 0;
    for (std::size_t i = 0; i < size; i++) {
      const Limb limb = rest[i] - modulus_[i] - borrow;
      borrow = limb > rest[i] || (borrow != 0 && limb == rest[i]);
      rest[i] = limb;
    }
  }
  out.assign(rest, wide_.end());
}

}  // namespace headframe::numbers
