#include "power.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <utility>

#include "limbs.h"
#include "montgomery.h"
#include "ring.h"
#include "twos.h"

namespace headframe::numbers {

namespace {

/// For an exponent this short, small powers of the base don't pay.
constexpr std::size_t few_bytes = 2;

/// A number as limbs, lowest first, without leading zero limbs.
Number number_of(Bytes bytes) {
  while (!bytes.empty() && bytes.front() == 0) bytes = bytes.subspan(1);
  Number limbs((bytes.size() + 7) / 8);
  for (std::size_t at = 0; at < bytes.size(); at++) {
    limbs[at / 8] |= static_cast<Limb>(bytes[bytes.size() - 1 - at]) << (8 * (at % 8));
  }
  return limbs;
}

std::vector<std::uint8_t> bytes_of(const Number& limbs, std::size_t length) {
  std::vector<std::uint8_t> bytes(length);
  for (std::size_t at = 0; at < length && at / 8 < limbs.size(); at++) {
    bytes[length - 1 - at] = static_cast<std::uint8_t>(limbs[at / 8] >> (8 * (at % 8)));
  }
  return bytes;
}

/// Powers of the base up to the 15th, each computed on first use.
template <typename R>
class Table {
public:
  Table(R& ring, Number base) : ring_(ring) { powers_[1] = std::move(base); }

  const Number& operator[](std::size_t exponent) {
    for (; known_ < exponent; known_++) ring_.multiply(powers_[known_], powers_[1], powers_[known_ + 1]);
    return powers_[exponent];
  }

private:
  R& ring_;
  std::array<Number, 16> powers_;
  std::size_t known_ = 1;
};

struct Task {
  Number base;
  Bytes exponent;
  Number begun;  ///< 1 where nothing has begun
};

bool is_one(const Number& number) { return number.size() == 1 && number.front() == 1; }

/// The power as a number of the ring.
template <typename R>
Number raised(R ring, const Task& task) {
  Table<R> powers(ring, ring.element(task.base));
  Number result = ring.element(task.begun);
  bool is_first = is_one(task.begun);
  const int digit_bits = task.exponent.size() <= few_bytes ? 1 : 4;
  for (const std::uint8_t byte : task.exponent) {
    for (int at = 8 - digit_bits; at >= 0; at -= digit_bits) {
      const std::size_t digit = (byte >> at) & ((1 << digit_bits) - 1);
      for (int square = 0; square < digit_bits && !is_first; square++) ring.square(result);
      if (digit == 0) continue;
      if (is_first) {
        result = powers[digit];
      } else {
        ring.multiply(result, powers[digit], result);
      }
      is_first = false;
    }
  }
  return ring.number(result);
}

std::size_t trailing_zeros(const Number& number) {
  std::size_t limb = 0;
  while (number[limb] == 0) limb++;
  return 64 * limb + std::countr_zero(number[limb]);
}

/// Without its lowest `bits`.
Number shifted_right(const Number& number, std::size_t bits) {
  Number out(number.begin() + bits / 64, number.end());
  const std::size_t rest = bits % 64;
  for (std::size_t i = 0; i < out.size() && rest != 0; i++) {
    out[i] = (out[i] >> rest) | (i + 1 < out.size() ? out[i + 1] << (64 - rest) : 0);
  }
  while (!out.empty() && out.back() == 0) out.pop_back();
  return out;
}

Number power_of(const Task& task, const Number& modulus) {
  // Montgomery's setup costs as much as such a power itself.
  if (task.exponent.size() <= few_bytes) return raised(Ring(modulus), task);
  const std::size_t twos = trailing_zeros(modulus);
  if (twos == 0) return is_one(modulus) ? Number{0} : raised(Montgomery(modulus), task);
  const Number low = raised(Twos(twos), task);
  const Number odd = shifted_right(modulus, twos);
  return is_one(odd) ? low : combined(odd, raised(Montgomery(odd), task), low, twos);
}

}  // namespace

std::vector<std::uint8_t> power(Bytes base, Bytes exponent, Bytes modulus, Bytes begun) {
  const Number divisor = number_of(modulus);
  if (divisor.empty()) return std::vector<std::uint8_t>(modulus.size());
  const Task task{number_of(base), exponent, begun.empty() ? Number{1} : number_of(begun)};
  return bytes_of(power_of(task, divisor), modulus.size());
}

}  // namespace headframe::numbers
