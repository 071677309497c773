// One Keccak word as a type with the operations that keccak_round.h requires.
#pragma once

#include <cstdint>

#include "platform.h"

namespace headframe::xhash {
namespace {  // one copy per file: each is compiled for that file's instruction set

struct Word {
  std::uint64_t value;

  static constexpr std::size_t lanes = 1;
  static HEADFRAME_INLINE Word broadcast(std::uint64_t v) noexcept { return {v}; }
  static HEADFRAME_INLINE Word load(const std::uint64_t* p) noexcept { return {*p}; }
  HEADFRAME_INLINE void store(std::uint64_t* p) const noexcept { *p = value; }
  static HEADFRAME_INLINE Word xor_words(Word a, Word b) noexcept { return {a.value ^ b.value}; }
  static HEADFRAME_INLINE Word xor3(Word a, Word b, Word c) noexcept { return {a.value ^ b.value ^ c.value}; }
  static HEADFRAME_INLINE Word chi(Word a, Word b, Word c) noexcept { return {a.value ^ (~b.value & c.value)}; }
  template <int Bits>
  HEADFRAME_INLINE Word rotate() const noexcept {
    return {(value << Bits) | (value >> (64 - Bits))};
  }
};

}  // namespace
}  // namespace headframe::xhash
