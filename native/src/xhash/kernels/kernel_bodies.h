// The bodies of the kernel table, for any vector type. Each kernel file includes this once, after it has enabled its
// instruction set; everything is in an unnamed namespace, so that the linker never merges the copies.
// Words: 16 uint32 as one value: load, store, fold(h, v) = byte-wise FNV of each word.
// States: `lanes` Keccak words side by side, see keccak_round.h; plus load and store of `lanes` uint64.

#include <cstring>

#include "../fnv.h"
#include "../keccak/keccak_round.h"
#include "../platform.h"
#include "../word.h"
#include "kernels.h"
#include "message_bodies.h"

namespace headframe::xhash {
namespace {

HEADFRAME_INLINE std::uint32_t remainder(std::uint32_t value, std::uint64_t magic, std::uint32_t divisor) noexcept {
  return static_cast<std::uint32_t>(multiply_high(magic * value, divisor));
}

/// SHA3-512 of 64-byte items in place, States::lanes of them at a time.
template <class States>
HEADFRAME_INLINE void hash_items(std::uint32_t* items) noexcept {
  constexpr std::size_t lanes = States::lanes;
  std::uint64_t words[8][lanes];
  for (std::size_t lane = 0; lane < lanes; lane++) {
    for (std::size_t w = 0; w < 8; w++) std::memcpy(&words[w][lane], items + lane * item_words + 2 * w, 8);
  }
  States state[25];
  for (std::size_t w = 0; w < 8; w++) state[w] = States::load(words[w]);
  state[8] = States::broadcast(0x8000000000000006);  // padding starts and ends in the ninth word of the 72-byte block
  for (std::size_t w = 9; w < 25; w++) state[w] = States::broadcast(0);
  Keccak<States>::permute(state);
  for (std::size_t w = 0; w < 8; w++) state[w].store(words[w]);
  for (std::size_t lane = 0; lane < lanes; lane++) {
    for (std::size_t w = 0; w < 8; w++) std::memcpy(items + lane * item_words + 2 * w, &words[w][lane], 8);
  }
}

/// hash_items for `Count` items, with the widest states that fit.
template <class States, std::size_t Count>
HEADFRAME_INLINE void hash_all(std::uint32_t* items) noexcept {
  if constexpr (Count >= 2 && States::lanes > 1) {
    if constexpr (Count >= States::lanes) {
      for (std::size_t i = 0; i < Count; i += States::lanes) hash_items<States>(items + i * item_words);
    } else {
      alignas(64) std::uint32_t padded[States::lanes * item_words] = {};
      std::memcpy(padded, items, Count * item_bytes);
      hash_items<States>(padded);
      std::memcpy(items, padded, Count * item_bytes);
    }
  } else {
    for (std::size_t i = 0; i < Count; i++) hash_items<Word>(items + i * item_words);
  }
}

/// `Count` items interleaved: while one waits for its parent from memory, the others are folded.
template <class Words, class States, std::size_t Count>
void make_group(const CacheView& cache, const std::uint32_t* indices, std::uint32_t* mix) noexcept {
  const std::uint32_t* const words = cache.words;
  const std::uint64_t magic = cache.count.magic();
  const std::uint32_t items = cache.count.divisor();
  for (std::size_t i = 0; i < Count; i++) {
    std::uint32_t* const own = mix + i * item_words;
    std::memcpy(own, words + std::size_t{remainder(indices[i], magic, items)} * item_words, item_bytes);
    own[0] ^= indices[i];
  }
  hash_all<States, Count>(mix);
  const std::uint32_t* parent[Count];
  for (std::size_t i = 0; i < Count; i++) {
    parent[i] = words + std::size_t{remainder(fnv1(indices[i], mix[i * item_words]), magic, items)} * item_words;
    HEADFRAME_PREFETCH(parent[i]);
  }
  for (std::uint32_t k = 1; k <= item_parents; k++) {
    const std::uint32_t next = k % item_words;
    for (std::size_t i = 0; i < Count; i++) {
      std::uint32_t* const own = mix + i * item_words;
      std::uint32_t picker;
      if constexpr (Count <= 4) {
        // Too few to hide latency: the word that selects the next parent is folded separately, so that the dependency
        // chain from one parent's address to the next has no vector instruction and no store in it.
        picker = fnv1(own[next], parent[i][next]);
        Words::fold(Words::load(own), Words::load(parent[i])).store(own);
      } else {
        Words::fold(Words::load(own), Words::load(parent[i])).store(own);
        picker = own[next];
      }
      parent[i] = words + std::size_t{remainder(fnv1(indices[i] ^ k, picker), magic, items)} * item_words;
      HEADFRAME_PREFETCH(parent[i]);
    }
  }
  hash_all<States, Count>(mix);
}

template <class Words, class States>
void make_items(const CacheView& cache, const std::uint32_t* indices, std::size_t count, std::uint32_t* out) {
  std::size_t done = 0;
  for (; count - done >= Words::group; done += Words::group) {
    make_group<Words, States, Words::group>(cache, indices + done, out + done * item_words);
  }
  for (; count - done >= 8; done += 8) make_group<Words, States, 8>(cache, indices + done, out + done * item_words);
  for (; done < count; done++) make_group<Words, States, 1>(cache, indices + done, out + done * item_words);
}

template <class Words, class States>
void make_range(const CacheView& cache, std::uint32_t first, std::size_t count, std::uint32_t* out) {
  constexpr std::size_t block = 16 * Words::group;
  std::uint32_t indices[block];
  while (count > 0) {
    const std::size_t now = count < block ? count : block;
    for (std::size_t i = 0; i < now; i++) indices[i] = first + static_cast<std::uint32_t>(i);
    make_items<Words, States>(cache, indices, now, out);
    first += static_cast<std::uint32_t>(now);
    out += now * item_words;
    count -= now;
  }
}

/// One hash in progress: the words of its seed (64 bytes) and its mix (128 bytes).
struct alignas(64) Mix {
  std::uint32_t words[row_words];
  std::uint64_t seed[8];

  HEADFRAME_INLINE void start() noexcept {
    std::memcpy(words, seed, 64);
    std::memcpy(words + item_words, seed, 64);
  }

  HEADFRAME_INLINE std::uint32_t row(std::uint32_t access, const FastModulus& rows) const noexcept {
    const std::uint32_t picked = fnv1(access ^ static_cast<std::uint32_t>(seed[0]), words[access % row_words]);
    return remainder(picked, rows.magic(), rows.divisor());
  }

  HEADFRAME_INLINE void digest(std::uint64_t (&out)[4]) const noexcept {
    std::uint32_t folded[8];
    for (int j = 0; j < 8; j++) {
      const std::uint32_t* const four = words + 4 * j;
      folded[j] = fnv1(fnv1(fnv1(four[0], four[1]), four[2]), four[3]);
    }
    std::memcpy(out, folded, 32);
  }
};

template <class Words>
HEADFRAME_INLINE void fold_row(Mix& mix, const std::uint32_t* row) noexcept {
  Words::fold(Words::load(mix.words), Words::load(row)).store(mix.words);
  Words::fold(Words::load(mix.words + item_words), Words::load(row + item_words)).store(mix.words + item_words);
}

/// Seeds of States::lanes hashes: sha3_512(seal hash || nonce, little-endian).
template <class States>
HEADFRAME_INLINE void make_seeds(const Hash256& seal_hash, const std::uint64_t* nonces, Mix* mixes) noexcept {
  constexpr std::size_t lanes = States::lanes;
  std::uint64_t seal[4];
  std::memcpy(seal, seal_hash.data(), 32);
  States state[25];
  for (std::size_t w = 0; w < 4; w++) state[w] = States::broadcast(seal[w]);
  state[4] = States::load(nonces);
  state[5] = States::broadcast(0x06);
  state[6] = state[7] = States::broadcast(0);
  state[8] = States::broadcast(0x8000000000000000);
  for (std::size_t w = 9; w < 25; w++) state[w] = States::broadcast(0);
  Keccak<States>::permute(state);
  for (std::size_t w = 0; w < 8; w++) {
    std::uint64_t words[lanes];
    state[w].store(words);
    for (std::size_t lane = 0; lane < lanes; lane++) mixes[lane].seed[w] = words[lane];
  }
}

/// Digests and results of States::lanes hashes: sha3_256(seed || digest). Words, [word][lane].
template <class States>
HEADFRAME_INLINE void finish(const Mix* mixes, std::uint64_t (*digests)[4], std::uint64_t (*results)[4]) noexcept {
  constexpr std::size_t lanes = States::lanes;
  std::uint64_t words[12][lanes];
  for (std::size_t lane = 0; lane < lanes; lane++) {
    mixes[lane].digest(digests[lane]);
    for (std::size_t w = 0; w < 8; w++) words[w][lane] = mixes[lane].seed[w];
    for (std::size_t w = 0; w < 4; w++) words[8 + w][lane] = digests[lane][w];
  }
  States state[25];
  for (std::size_t w = 0; w < 12; w++) state[w] = States::load(words[w]);
  state[12] = States::broadcast(0x06);
  for (std::size_t w = 13; w < 25; w++) state[w] = States::broadcast(0);
  state[16] = States::broadcast(0x8000000000000000);
  Keccak<States>::permute(state);
  for (std::size_t w = 0; w < 4; w++) {
    std::uint64_t lane_words[lanes];
    state[w].store(lane_words);
    for (std::size_t lane = 0; lane < lanes; lane++) results[lane][w] = lane_words[lane];
  }
}

/// `Count` light hashes in lockstep: each access computes 2 x Count items together.
template <class Words, class States, std::size_t Count>
void hash_light_group(const CacheView& cache, const FastModulus& rows, const LightInput* inputs, HashResult* out) {
  Mix mixes[Count];
  for (std::size_t i = 0; i < Count; i++) {
    make_seeds<Word>(inputs[i].seal_hash, &inputs[i].nonce, &mixes[i]);
    mixes[i].start();
  }
  alignas(64) std::uint32_t items[2 * Count * item_words];
  std::uint32_t indices[2 * Count];
  for (std::uint32_t access = 0; access < accesses; access++) {
    for (std::size_t i = 0; i < Count; i++) {
      indices[2 * i] = 2 * mixes[i].row(access, rows);
      indices[2 * i + 1] = indices[2 * i] + 1;
    }
    make_group<Words, States, 2 * Count>(cache, indices, items);
    for (std::size_t i = 0; i < Count; i++) fold_row<Words>(mixes[i], items + i * row_words);
  }
  for (std::size_t i = 0; i < Count; i++) {
    std::uint64_t digest[1][4];
    std::uint64_t result[1][4];
    finish<Word>(&mixes[i], digest, result);
    std::memcpy(out[i].mix_digest.data(), digest, 32);
    std::memcpy(out[i].result.data(), result, 32);
  }
}

template <class Words, class States>
void hash_light(const CacheView& cache, const FastModulus& rows, std::span<const LightInput> all, HashResult* out) {
  const LightInput* inputs = all.data();
  std::size_t count = all.size();
  while (count > 0) {
    const std::size_t now = count >= 8 ? 8 : count >= 4 ? 4 : count >= 2 ? 2 : 1;
    if (now == 8) hash_light_group<Words, States, 8>(cache, rows, inputs, out);
    if (now == 4) hash_light_group<Words, States, 4>(cache, rows, inputs, out);
    if (now == 2) hash_light_group<Words, States, 2>(cache, rows, inputs, out);
    if (now == 1) hash_light_group<Words, States, 1>(cache, rows, inputs, out);
    inputs += now;
    out += now;
    count -= now;
  }
}

HEADFRAME_INLINE std::uint64_t big_endian(std::uint64_t word) noexcept {
#if defined(_MSC_VER) && !defined(__clang__)
  return _byteswap_uint64(word);
#else
  return __builtin_bswap64(word);
#endif
}

template <class Words, class States>
std::size_t search(const DatasetView& dataset, const SearchInput& input, Hit* hits) {
  constexpr std::size_t group = Words::nonces;
  static_assert(group % States::lanes == 0);
  std::uint64_t target_top;
  std::memcpy(&target_top, input.target.data(), 8);
  target_top = big_endian(target_top);
  const FastModulus rows = dataset.count;
  Mix mixes[group];
  std::uint64_t nonces[group];
  const std::uint32_t* row[group];
  std::uint64_t digests[group][4];
  std::uint64_t results[group][4];
  std::size_t found = 0;
  for (std::uint32_t done = 0; done < input.count; done += group) {
    for (std::size_t i = 0; i < group; i++) nonces[i] = input.start_nonce + done + i;
    for (std::size_t i = 0; i < group; i += States::lanes) make_seeds<States>(input.seal_hash, nonces + i, mixes + i);
    for (std::size_t i = 0; i < group; i++) {
      mixes[i].start();
      row[i] = dataset.words + std::size_t{mixes[i].row(0, rows)} * row_words;
      HEADFRAME_PREFETCH(row[i]);
      HEADFRAME_PREFETCH(row[i] + item_words);
    }
    for (std::uint32_t access = 1; access < accesses; access++) {
      for (std::size_t i = 0; i < group; i++) {
        fold_row<Words>(mixes[i], row[i]);
        row[i] = dataset.words + std::size_t{mixes[i].row(access, rows)} * row_words;
        HEADFRAME_PREFETCH(row[i]);
        HEADFRAME_PREFETCH(row[i] + item_words);
      }
    }
    for (std::size_t i = 0; i < group; i++) fold_row<Words>(mixes[i], row[i]);
    for (std::size_t i = 0; i < group; i += States::lanes) finish<States>(mixes + i, digests + i, results + i);
    for (std::size_t i = 0; i < group && done + i < input.count; i++) {
      if (big_endian(results[i][0]) > target_top) continue;
      Hit& hit = hits[found];
      hit.nonce = nonces[i];
      std::memcpy(hit.hash.mix_digest.data(), digests[i], 32);
      std::memcpy(hit.hash.result.data(), results[i], 32);
      if (std::memcmp(hit.hash.result.data(), input.target.data(), 32) <= 0) found++;
    }
  }
  return found;
}

/// The cache is one long chain: only the fetch of the items mixed in can overlap.
inline bool fill_cache(std::uint32_t* words, std::uint32_t items, const Hash256& seed,
                       const std::atomic<bool>& cancelled) {
  constexpr std::uint32_t ahead = 4;
  constexpr std::uint32_t check_every = 4096;
  const FastModulus count(items);
  Word state[25];
  for (int w = 0; w < 25; w++) state[w].value = 0;
  std::memcpy(state, seed.data(), 32);
  state[4].value = 0x06;
  state[8].value = 0x8000000000000000;
  Keccak<Word>::permute(state);
  std::memcpy(words, state, item_bytes);
  const auto hash_next = [&state](std::uint32_t* out) {
    state[8].value = 0x8000000000000006;
    for (int w = 9; w < 25; w++) state[w].value = 0;
    Keccak<Word>::permute(state);
    std::memcpy(out, state, item_bytes);
  };
  for (std::uint32_t i = 1; i < items; i++) {
    hash_next(words + std::size_t{i} * item_words);
    if (i % check_every == 0 && cancelled.load(std::memory_order_relaxed)) return false;
  }
  for (int round = 0; round < 3; round++) {
    for (std::uint32_t j = 0; j < items; j++) {
      std::uint32_t* const own = words + std::size_t{j} * item_words;
      if (j + ahead < items) {
        const std::uint32_t picked = remainder(own[ahead * item_words], count.magic(), items);
        HEADFRAME_PREFETCH(words + std::size_t{picked} * item_words);
      }
      std::uint64_t other[8];
      const std::uint32_t picked = remainder(own[0], count.magic(), items);
      std::memcpy(other, words + std::size_t{picked} * item_words, item_bytes);
      for (int w = 0; w < 8; w++) state[w].value ^= other[w];  // the state still holds item j - 1
      hash_next(own);
      if (j % check_every == 0 && cancelled.load(std::memory_order_relaxed)) return false;
    }
  }
  return true;
}

template <class Words, class States>
constexpr Kernels make_kernels() noexcept {
  return {fill_cache,
          make_items<Words, States>,
          make_range<Words, States>,
          hash_light<Words, States>,
          search<Words, States>,
          hash_messages<States>};
}

}  // namespace
}  // namespace headframe::xhash
