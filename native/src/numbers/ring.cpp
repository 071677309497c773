#include "ring.h"

#include <algorithm>
#include <bit>

namespace headframe::numbers {

namespace {

/// Without leading zero limbs: the powers of a small base stay short for long.
std::size_t length_of(const Number& limbs) {
  std::size_t length = limbs.size();
  while (length > 0 && limbs[length - 1] == 0) length--;
  return length;
}

/// (2^128 - 1) / `divisor` - 2^64, bit by bit: once per modulus.
Limb inverse_of(Limb divisor) {
  Limb rest = ~divisor;
  Limb inverse = 0;
  for (int bit = 0; bit < 64; bit++) {
    const bool is_above = rest >> 63 != 0;
    rest = (rest << 1) | 1;
    inverse <<= 1;
    if (is_above || rest >= divisor) {
      rest -= divisor;
      inverse |= 1;
    }
  }
  return inverse;
}

Number shifted_left(const Number& limbs, int count) {
  Number out(limbs.size() + 1);
  for (std::size_t i = 0; i < limbs.size(); i++) {
    out[i] |= limbs[i] << count;
    out[i + 1] = count == 0 ? 0 : limbs[i] >> (64 - count);
  }
  return out;
}

}  // namespace

Ring::Ring(const Number& modulus) : size_(modulus.size()), shift_(std::countl_zero(modulus.back())) {
  modulus_ = shifted_left(modulus, shift_);
  modulus_.resize(size_);
  wide_.resize(2 * size_ + 1);
  inverse_ = inverse_of(modulus_.back());
  for (const Limb limb : modulus_) lack_.push_back(~limb);
  add_carry(lack_.data(), size_, 1);
}

Number Ring::element(const Number& number) {
  // First as many limbs as are surely below the modulus, then the others one at a time, below the remainder so far.
  const std::size_t below = std::min(number.size(), size_ - 1);
  std::fill(wide_.begin(), wide_.end(), 0);
  std::copy(number.end() - below, number.end(), wide_.begin());
  for (std::size_t i = number.size() - below; i-- > 0;) {
    std::copy_backward(wide_.begin(), wide_.begin() + size_, wide_.begin() + size_ + 1);
    wide_[0] = number[i];
    take_off(0);
  }
  return Number(wide_.begin(), wide_.begin() + size_);
}

Number Ring::number(const Number& element) {
  // Shifted like the modulus, so that whole multiples of the modulus itself are subtracted.
  const Number high = shifted_left(element, shift_);
  std::copy(high.begin(), high.end(), wide_.begin());
  take_off(0);
  Number out(wide_.begin(), wide_.begin() + size_);
  for (std::size_t i = 0; i < size_ && shift_ != 0; i++) {
    const Limb next = i + 1 < size_ ? out[i + 1] : 0;
    out[i] = (out[i] >> shift_) | (next << (64 - shift_));
  }
  return out;
}

void Ring::multiply(const Number& one, const Number& other, Number& out) {
  const std::size_t length = length_of(one);
  const std::size_t other_length = length_of(other);
  clear(length + other_length);
  for (std::size_t i = 0; i < length; i++) {
    wide_[i + other_length] = add_product(&wide_[i], other.data(), other_length, one[i]);
  }
  reduce(length + other_length, out);
}

void Ring::square(Number& element) {
  const std::size_t length = length_of(element);
  clear(2 * length);
  write_square(wide_.data(), element.data(), length);
  reduce(2 * length, element);
}

void Ring::clear(std::size_t length) { std::fill_n(wide_.begin(), std::max(length, size_) + 1, 0); }

void Ring::reduce(std::size_t length, Number& out) {
  // A product shorter than the modulus is below it.
  for (std::size_t at = length < size_ ? 0 : length - size_ + 1; at-- > 0;) take_off(at);
  out.assign(wide_.begin(), wide_.begin() + size_);
}

void Ring::take_off(std::size_t at) {
  Limb* const part = &wide_[at];
  const Limb factor = quotient(part[size_], part[size_ - 1], size_ > 1 ? part[size_ - 2] : 0);
  if (factor == 0) return;
  // Subtracting `factor` times the modulus is adding `factor` times its complement to 2^(64 * size_), and subtracting
  // `factor` above.
  const Limb carry = add_product(part, lack_.data(), size_, factor);
  const bool is_too_much = part[size_] + carry != factor;
  part[size_] = 0;
  if (is_too_much) add_product(part, modulus_.data(), size_, 1);
}

/// The next limb of the quotient, or one too many.
Limb Ring::quotient(Limb high, Limb middle, Limb low) const {
  const Limb divisor = modulus_.back();
  if (high >= divisor) return ~Limb{0};
  Wide guess = product(inverse_, high, middle, 0);
  guess.high += high + 1;
  Limb rest = middle - guess.high * divisor;
  if (rest > guess.low) {
    guess.high--;
    rest += divisor;
  }
  if (rest >= divisor) {
    guess.high++;
    rest -= divisor;
  }
  const Limb next = size_ > 1 ? modulus_[size_ - 2] : 0;
  for (;;) {
    const Wide taken = product(guess.high, next, 0, 0);
    if (taken.high < rest || (taken.high == rest && taken.low <= low)) return guess.high;
    guess.high--;
    rest += divisor;
    if (rest < divisor) return guess.high;
  }
}

}  // namespace headframe::numbers
