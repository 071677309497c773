#include "ring.h"

#include <algorithm>
#include <bit>

namespace headframe::numbers {

namespace {

struct Wide {
  Limb high;
  Limb low;
};

/// x * y + addend + carry, which 128 bits always hold.
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

/// Adds `factor` times the `count` limbs at `from` to those at `to`. @return what goes into the next limb
inline Limb add_product(Limb* to, const Limb* from, std::size_t count, Limb factor) {
  Limb carry = 0;
  for (std::size_t i = 0; i < count; i++) {
    const Wide sum = product(factor, from[i], to[i], carry);
    to[i] = sum.low;
    carry = sum.high;
  }
  return carry;
}

/// The same, subtracting. @return what is to be taken from the next limb
inline Limb subtract_product(Limb* to, const Limb* from, std::size_t count, Limb factor) {
  Limb borrow = 0;
  for (std::size_t i = 0; i < count; i++) {
    const Wide part = product(factor, from[i], 0, borrow);
    const Limb rest = to[i] - part.low;
    borrow = part.high + (rest > to[i]);
    to[i] = rest;
  }
  return borrow;
}

/// Without the zeros at the high end: the powers of a small base are short for long.
std::size_t length_of(const Number& limbs) {
  std::size_t length = limbs.size();
  while (length > 0 && limbs[length - 1] == 0) length--;
  return length;
}

/// (2^128 - 1) / `divisor` - 2^64, bit by bit: once for a modulus.
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
}

Number Ring::element(const Number& number) {
  // One limb at a time, behind what is left of those above it.
  std::fill(wide_.begin(), wide_.end(), 0);
  for (std::size_t i = number.size(); i-- > 0;) {
    std::copy_backward(wide_.begin(), wide_.begin() + size_, wide_.begin() + size_ + 1);
    wide_[0] = number[i];
    take_off(0);
  }
  return Number(wide_.begin(), wide_.begin() + size_);
}

Number Ring::number(const Number& element) {
  // Shifted as the modulus is, so that whole multiples of the modulus itself are taken off.
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
  std::fill(wide_.begin(), wide_.end(), 0);
  const std::size_t length = length_of(one);
  const std::size_t other_length = length_of(other);
  for (std::size_t i = 0; i < length; i++) {
    wide_[i + other_length] = add_product(&wide_[i], other.data(), other_length, one[i]);
  }
  reduce(out);
}

void Ring::square(Number& element) {
  // Each product of two different limbs once, then all of them twice, then the squares.
  std::fill(wide_.begin(), wide_.end(), 0);
  const std::size_t length = length_of(element);
  for (std::size_t i = 0; i + 1 < length; i++) {
    wide_[i + length] = add_product(&wide_[2 * i + 1], &element[i + 1], length - i - 1, element[i]);
  }
  Limb carry = 0;
  Limb top = 0;
  for (std::size_t i = 0; i < length; i++) {
    const Limb low = wide_[2 * i];
    const Limb high = wide_[2 * i + 1];
    const Wide sum = product(element[i], element[i], (low << 1) | top, carry);
    const Limb doubled = (high << 1) | (low >> 63);
    wide_[2 * i] = sum.low;
    wide_[2 * i + 1] = sum.high + doubled;
    carry = wide_[2 * i + 1] < doubled;
    top = high >> 63;
  }
  reduce(element);
}

void Ring::reduce(Number& out) {
  wide_[2 * size_] = 0;
  for (std::size_t at = size_; at-- > 0;) take_off(at);
  out.assign(wide_.begin(), wide_.begin() + size_);
}

void Ring::take_off(std::size_t at) {
  Limb* const part = &wide_[at];
  const Limb factor = quotient(part[size_], part[size_ - 1], size_ > 1 ? part[size_ - 2] : 0);
  if (factor == 0) return;
  const Limb borrow = subtract_product(part, modulus_.data(), size_, factor);
  const bool is_too_much = part[size_] < borrow;
  part[size_] = 0;
  if (!is_too_much) return;
  Limb carry = 0;
  for (std::size_t i = 0; i < size_; i++) {
    const Wide sum = product(1, modulus_[i], part[i], carry);
    part[i] = sum.low;
    carry = sum.high;
  }
}

/// The next limb of the quotient, or one more than it.
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
