#include "keccak.h"

#include <bit>
#include <cstring>

#include "../word.h"
#include "keccak_round.h"

namespace headframe::xhash {

namespace {

template <std::size_t OutBytes>
std::array<std::uint8_t, OutBytes> sponge(std::span<const std::uint8_t> data, std::uint8_t padding) noexcept {
  constexpr std::size_t rate = 200 - 2 * OutBytes;
  std::uint64_t state[25] = {};
  const auto absorb = [&state](const std::uint8_t* block) {
    for (std::size_t i = 0; i < rate / 8; i++) {
      std::uint64_t word;
      std::memcpy(&word, block + 8 * i, 8);
      state[i] ^= word;
    }
    keccak_f1600(state);
  };
  while (data.size() >= rate) {
    absorb(data.data());
    data = data.subspan(rate);
  }
  std::uint8_t last[rate] = {};
  if (!data.empty()) std::memcpy(last, data.data(), data.size());
  last[data.size()] = padding;
  last[rate - 1] |= 0x80;
  absorb(last);
  std::array<std::uint8_t, OutBytes> out;
  std::memcpy(out.data(), state, OutBytes);
  return out;
}

}  // namespace

void keccak_f1600(std::uint64_t (&state)[25]) noexcept {
  Word words[25];
  for (int i = 0; i < 25; i++) words[i].value = state[i];
  Keccak<Word>::permute(words);
  for (int i = 0; i < 25; i++) state[i] = words[i].value;
}

Hash256 sha3_256(std::span<const std::uint8_t> data) noexcept { return sponge<32>(data, 0x06); }

Hash512 sha3_512(std::span<const std::uint8_t> data) noexcept { return sponge<64>(data, 0x06); }

Hash256 keccak_256(std::span<const std::uint8_t> data) noexcept { return sponge<32>(data, 0x01); }

}  // namespace headframe::xhash
