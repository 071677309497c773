#include "limbs.h"

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>
#endif

namespace headframe::numbers {

namespace {

#if defined(__x86_64__) && defined(__GNUC__)

/// Two additions whose carry chains are independent, which compilers don't generate.
/// @param fours groups of four limbs, at least one
Limb add_product_of_fours(Limb* to, const Limb* from, std::size_t fours, Limb factor) {
  Limb carry = 0;
  asm volatile(
      "xorl %%r8d, %%r8d\n"  // and both carries
      "1:\n"
      "mulxq (%[from]), %%r9, %%r10\n"
      "adcxq %[carry], %%r9\n"
      "adoxq (%[to]), %%r9\n"
      "movq %%r9, (%[to])\n"
      "mulxq 8(%[from]), %%r9, %%r11\n"
      "adcxq %%r10, %%r9\n"
      "adoxq 8(%[to]), %%r9\n"
      "movq %%r9, 8(%[to])\n"
      "mulxq 16(%[from]), %%r9, %%r10\n"
      "adcxq %%r11, %%r9\n"
      "adoxq 16(%[to]), %%r9\n"
      "movq %%r9, 16(%[to])\n"
      "mulxq 24(%[from]), %%r9, %[carry]\n"
      "adcxq %%r10, %%r9\n"
      "adoxq 24(%[to]), %%r9\n"
      "movq %%r9, 24(%[to])\n"
      "leaq 32(%[from]), %[from]\n"
      "leaq 32(%[to]), %[to]\n"
      "leaq -1(%[fours]), %[fours]\n"
      "jrcxz 2f\n"
      "jmp 1b\n"
      "2:\n"
      "adcxq %%r8, %[carry]\n"
      "adoxq %%r8, %[carry]\n"
      : [to] "+r"(to), [from] "+r"(from), [fours] "+c"(fours), [carry] "+r"(carry)
      : "d"(factor)
      : "r8", "r9", "r10", "r11", "cc", "memory");
  return carry;
}

/// Leaf 7 of CPUID, EBX. Asked directly: clang 15 rejects the name "adx" in __builtin_cpu_supports.
constexpr unsigned bmi2_bit = 1U << 8U;
constexpr unsigned adx_bit = 1U << 19U;

bool has_two_carries() {
  static const bool has = [] {
    unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
    return __get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0 && (ebx & bmi2_bit) != 0 && (ebx & adx_bit) != 0;
  }();
  return has;
}

#else

Limb add_product_of_fours(Limb*, const Limb*, std::size_t, Limb) { return 0; }

bool has_two_carries() { return false; }

#endif

/// Fewer aren't worth the call.
constexpr std::size_t few_limbs = 4;

}  // namespace

Limb add_product(Limb* to, const Limb* from, std::size_t count, Limb factor) {
  std::size_t i = 0;
  Limb carry = 0;
  if (count >= few_limbs && has_two_carries()) {
    i = count - count % 4;
    carry = add_product_of_fours(to, from, i / 4, factor);
  }
  for (; i < count; i++) {
    const Wide sum = product(factor, from[i], to[i], carry);
    to[i] = sum.low;
    carry = sum.high;
  }
  return carry;
}

void write_square(Limb* to, const Limb* from, std::size_t count) {
  // Each product of two different limbs once, then all of them doubled, then the squares.
  for (std::size_t i = 0; i + 1 < count; i++) {
    to[i + count] = add_product(&to[2 * i + 1], &from[i + 1], count - i - 1, from[i]);
  }
  Limb carry = 0;
  Limb top = 0;
  for (std::size_t i = 0; i < count; i++) {
    const Limb low = to[2 * i];
    const Limb high = to[2 * i + 1];
    const Wide sum = product(from[i], from[i], (low << 1) | top, carry);
    const Limb doubled = (high << 1) | (low >> 63);
    to[2 * i] = sum.low;
    to[2 * i + 1] = sum.high + doubled;
    carry = to[2 * i + 1] < doubled;
    top = high >> 63;
  }
}

void write_product(Limb* to, const Number& one, const Number& other) {
  for (std::size_t i = 0; i < one.size(); i++) {
    to[i + other.size()] = add_product(&to[i], other.data(), other.size(), one[i]);
  }
}

}  // namespace headframe::numbers
