#include "sizes.h"

#include <algorithm>

#include "keccak/keccak.h"

namespace headframe::xhash {

namespace {

bool is_prime(std::uint64_t n) noexcept {
  if (n < 2) return false;
  if (n % 2 == 0) return n == 2;
  for (std::uint64_t d = 3; d * d <= n; d += 2) {
    if (n % d == 0) return false;
  }
  return true;
}

std::uint64_t largest_prime_count(std::uint64_t limit, std::uint64_t unit) noexcept {
  std::uint64_t bytes = limit - unit;
  while (bytes > 2 * unit && !is_prime(bytes / unit)) bytes -= 2 * unit;
  return bytes;
}

}  // namespace

std::uint64_t cache_bytes(const SizeRule& rule, std::uint32_t epoch) noexcept {
  return largest_prime_count(rule.cache_init + rule.cache_growth * epoch, item_bytes);
}

std::uint64_t dataset_bytes(const SizeRule& rule, std::uint32_t epoch) noexcept {
  return largest_prime_count(rule.dataset_init + rule.dataset_growth * epoch, row_bytes);
}

Hash256 seed_hash(std::uint32_t epoch) noexcept {
  std::array<std::uint8_t, 41> input = {'P', 'A', 'R', 'A', 'L', 'L', 'A', 'X', 0x01};
  Hash256 seed{};
  for (std::uint32_t e = 0; e < epoch; e++) {
    std::copy(seed.begin(), seed.end(), input.begin() + 9);
    seed = sha3_256(input);
  }
  return seed;
}

}  // namespace headframe::xhash
