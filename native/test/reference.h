// The proof of work written as plainly as possible: what the kernels are compared with.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "../src/xhash/fnv.h"
#include "../src/xhash/keccak/keccak.h"
#include "../src/xhash/types.h"

namespace headframe::test {

using Words = std::vector<std::uint32_t>;

inline std::array<std::uint32_t, 16> words_of(const xhash::Hash512& bytes) {
  std::array<std::uint32_t, 16> words;
  std::memcpy(words.data(), bytes.data(), 64);
  return words;
}

inline std::span<const std::uint8_t> bytes_of(std::span<const std::uint32_t> words) {
  return {reinterpret_cast<const std::uint8_t*>(words.data()), words.size() * 4};
}

inline Words reference_cache(const xhash::Hash256& seed, std::size_t items) {
  Words cache(items * 16);
  auto item = words_of(xhash::sha3_512(seed));
  for (std::size_t i = 0; i < items; i++) {
    if (i > 0) item = words_of(xhash::sha3_512(bytes_of(item)));
    std::memcpy(&cache[i * 16], item.data(), 64);
  }
  for (int round = 0; round < 3; round++) {
    for (std::size_t j = 0; j < items; j++) {
      const std::size_t left = (j + items - 1) % items;
      const std::size_t right = cache[j * 16] % items;
      for (std::size_t w = 0; w < 16; w++) item[w] = cache[left * 16 + w] ^ cache[right * 16 + w];
      item = words_of(xhash::sha3_512(bytes_of(item)));
      std::memcpy(&cache[j * 16], item.data(), 64);
    }
  }
  return cache;
}

inline std::array<std::uint32_t, 16> reference_item(const Words& cache, std::uint32_t index) {
  const auto items = static_cast<std::uint32_t>(cache.size() / 16);
  std::array<std::uint32_t, 16> mix;
  std::memcpy(mix.data(), &cache[std::size_t{index % items} * 16], 64);
  mix[0] ^= index;
  mix = words_of(xhash::sha3_512(bytes_of(mix)));
  for (std::uint32_t k = 0; k < 256; k++) {
    const std::uint32_t parent = xhash::fnv1(index ^ k, mix[k % 16]) % items;
    for (std::size_t w = 0; w < 16; w++) mix[w] = xhash::fnv1(mix[w], cache[std::size_t{parent} * 16 + w]);
  }
  return words_of(xhash::sha3_512(bytes_of(mix)));
}

/// The items of a whole dataset: hashes over the same few rows would each make them anew.
inline Words reference_rows(const Words& cache, std::uint32_t rows) {
  Words words;
  for (std::uint32_t i = 0; i < 2 * rows; i++) {
    for (const std::uint32_t word : reference_item(cache, i)) words.push_back(word);
  }
  return words;
}

/// @param row_at gives the 32 words of a row
template <class RowAt>
xhash::HashResult reference_hash_over(const RowAt& row_at, std::uint32_t rows, const xhash::Hash256& seal,
                                      std::uint64_t nonce) {
  std::array<std::uint8_t, 40> head;
  std::memcpy(head.data(), seal.data(), 32);
  std::memcpy(head.data() + 32, &nonce, 8);
  const xhash::Hash512 seed = xhash::sha3_512(head);
  const auto seed_words = words_of(seed);
  std::uint32_t mix[32];
  for (int w = 0; w < 32; w++) mix[w] = seed_words[w % 16];
  for (std::uint32_t i = 0; i < 64; i++) {
    const std::uint32_t row = xhash::fnv1(i ^ seed_words[0], mix[i % 32]) % rows;
    const std::array<std::uint32_t, 32> words = row_at(row);
    for (int w = 0; w < 32; w++) mix[w] = xhash::fnv1(mix[w], words[w]);
  }
  std::array<std::uint32_t, 8> folded;
  for (int j = 0; j < 8; j++) {
    folded[j] = xhash::fnv1(xhash::fnv1(xhash::fnv1(mix[4 * j], mix[4 * j + 1]), mix[4 * j + 2]), mix[4 * j + 3]);
  }
  std::array<std::uint8_t, 96> tail;
  std::memcpy(tail.data(), seed.data(), 64);
  std::memcpy(tail.data() + 64, folded.data(), 32);
  xhash::HashResult out;
  std::memcpy(out.mix_digest.data(), folded.data(), 32);
  out.result = xhash::sha3_256(tail);
  return out;
}

/// Over a dataset that nobody made.
inline xhash::HashResult reference_hash(const Words& cache, std::uint32_t rows, const xhash::Hash256& seal,
                                        std::uint64_t nonce) {
  const auto row_at = [&](std::uint32_t row) {
    std::array<std::uint32_t, 32> words;
    std::copy_n(reference_item(cache, 2 * row).begin(), 16, words.begin());
    std::copy_n(reference_item(cache, 2 * row + 1).begin(), 16, words.begin() + 16);
    return words;
  };
  return reference_hash_over(row_at, rows, seal, nonce);
}

/// @param dataset of reference_rows()
inline xhash::HashResult reference_hash(const Words& dataset, const xhash::Hash256& seal, std::uint64_t nonce) {
  const auto row_at = [&](std::uint32_t row) {
    std::array<std::uint32_t, 32> words;
    std::copy_n(dataset.begin() + std::size_t{row} * 32, 32, words.begin());
    return words;
  };
  return reference_hash_over(row_at, static_cast<std::uint32_t>(dataset.size() / 32), seal, nonce);
}

/// Repeatable numbers (splitmix64).
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  xhash::Hash256 hash() {
    xhash::Hash256 out;
    for (std::uint8_t& byte : out) byte = static_cast<std::uint8_t>(next());
    return out;
  }

private:
  std::uint64_t state_;
};

inline std::string hex(std::span<const std::uint8_t> bytes) {
  std::string out;
  char two[3];
  for (const std::uint8_t byte : bytes) {
    std::snprintf(two, sizeof two, "%02x", byte);
    out += two;
  }
  return out;
}

inline bool same(const xhash::HashResult& a, const xhash::HashResult& b) {
  return a.mix_digest == b.mix_digest && a.result == b.result;
}

}  // namespace headframe::test
