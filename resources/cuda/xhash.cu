// XHash on NVIDIA GPUs: the dataset's items from the cache, and the search. Compiled to PTX by tools/build-ptx.mjs.
//
// Buffers: cache = items of 4 blocks; dataset = rows of 8 blocks (a row is two items); a block is 16 bytes, 4
// little-endian words. results = count of hits, then room for RESULT_ROOM offsets (gpu::BatchResult).
// Launch: 1-D, 32, 64, 128 or 256 threads per block, one thread per item or nonce; whole warps, since lanes exchange
// data.
// Bound by: memory (64 reads of 128 bytes per hash at random places); on cards with stacked memory the integer pipes
// are close to it, so the mix is counted in instructions: 4 multiplications, 4 logic operations and 3 byte extractions
// per word.
//
// Data layout: `Lanes` neighboring threads share their hashes. While rows are folded, register d of lane l holds block
// l ^ d of hash d of the pass. So one load instruction reads whole rows, Lanes blocks of each side by side, and each
// lane has one of the words that pick the next rows: that of block b and hash h is in lane b ^ h. Before and after,
// register d of lane l holds block d | (l & (Lanes - Hashes)) of hash (l ^ d) & (Hashes - 1), as shuffles fill and
// empty it; swap_blocks converts between the two.
#ifndef XHASH_MACHINE
#define XHASH_MACHINE "machine.cuh"
#endif
#include XHASH_MACHINE

#define FNV_PRIME 0x01000193u
#define ROW_BLOCKS 8
#define ITEM_BLOCKS 4
#define ROW_ACCESSES 64
#define ITEM_PARENTS 256
#define RESULT_ROOM 16

/// A divisor and floor((2^32 - 1) / divisor). The divisor is under 2^31.
struct Modulus {
  u32 divisor;
  u32 magic;
};

/// Parameters of a search; the host's copy is cuda::SearchParameters.
struct Search {
  u64 seal_hash[4];
  u64 first_nonce;
  u64 target_top;  ///< first 64 bits of the target, big-endian
  const u32x4* dataset;
  u32* results;
  Modulus rows;
  u32 nonces;  ///< threads past them take part and report nothing
};
static_assert(sizeof(Search) == 80, "as the host has it");

/// Parameters of a slice of the dataset; the host's copy is cuda::ItemsParameters.
struct Items {
  const u32x4* cache;
  u32x4* dataset;
  Modulus cache_items;
  u32 first;
  u32 count;  ///< at least 1
};
static_assert(sizeof(Items) == 32, "as the host has it");

/// How the three upper bytes of a word are extracted: shifts, or dot products (sm_61 and newer).
enum class Bytes { by_shift, by_dot };

/// Remainder for every value: the estimated quotient is exact or one too small.
DEVICE u32 remainder(u32 value, Modulus modulus) {
  const u32 rest = value - multiply_high(value, modulus.magic) * modulus.divisor;
  const u32 less = rest - modulus.divisor;
  return less < rest ? less : rest;  // wraps to a large number if the rest was right
}

template <Bytes How, int Index>
DEVICE u32 byte_of(u32 word) {
#if XHASH_DOT
  if constexpr (How == Bytes::by_dot) return byte_by_dot<Index>(word);
#endif
  if constexpr (Index == 3) return word >> 24;
  else return (word >> (8 * Index)) & 0xff;
}

/// Folds `v` into `h`, lowest byte first.
template <Bytes How>
DEVICE u32 fnv1(u32 h, u32 v) {
  h = (h * FNV_PRIME) ^ (v & 0xff);
  h = (h * FNV_PRIME) ^ byte_of<How, 1>(v);
  h = (h * FNV_PRIME) ^ byte_of<How, 2>(v);
  return (h * FNV_PRIME) ^ byte_of<How, 3>(v);
}

template <Bytes How>
DEVICE u32x4 fold_block(u32x4 mix, u32x4 data) {
  UNROLL
  for (int w = 0; w < 4; w++) mix[w] = fnv1<How>(mix[w], data[w]);
  return mix;
}

CONSTANT u64 round_constants[24] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, 0x000000000000808b,
    0x0000000080000001, 0x8000000080008081, 0x8000000000008009, 0x000000000000008a, 0x0000000000000088,
    0x0000000080008009, 0x000000008000000a, 0x000000008000808b, 0x800000000000008b, 0x8000000000008089,
    0x8000000000008003, 0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008};

/// A Keccak word in two registers.
struct Word {
  u32 low;
  u32 high;
};

DEVICE Word word_of(u64 value) { return {static_cast<u32>(value), static_cast<u32>(value >> 32)}; }
DEVICE Word operator^(Word a, Word b) { return {a.low ^ b.low, a.high ^ b.high}; }
DEVICE Word chi(Word a, Word b, Word c) { return {a.low ^ (~b.low & c.low), a.high ^ (~b.high & c.high)}; }

template <int Bits>
DEVICE Word rotate(Word a) {
  if constexpr (Bits == 0) return a;
  else if constexpr (Bits < 32) return {funnel_left(a.low, a.high, Bits), funnel_left(a.high, a.low, Bits)};
  else return {funnel_left(a.high, a.low, Bits - 32), funnel_left(a.low, a.high, Bits - 32)};
}

/// Theta and rho of a word. The two parities are passed separately: an XOR of three inputs is one instruction.
template <int Bits>
DEVICE Word moved(Word a, Word left, Word right) {
  return rotate<Bits>(a ^ left ^ right);
}

DEVICE void keccak_row(Word* e, Word b0, Word b1, Word b2, Word b3, Word b4) {
  e[0] = chi(b0, b1, b2);
  e[1] = chi(b1, b2, b3);
  e[2] = chi(b2, b3, b4);
  e[3] = chi(b3, b4, b0);
  e[4] = chi(b4, b0, b1);
}

DEVICE void keccak_round(Word (&a)[25], u64 constant) {
  const Word c0 = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20], r0 = rotate<1>(c0);
  const Word c1 = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21], r1 = rotate<1>(c1);
  const Word c2 = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22], r2 = rotate<1>(c2);
  const Word c3 = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23], r3 = rotate<1>(c3);
  const Word c4 = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24], r4 = rotate<1>(c4);
  Word e[25];
  keccak_row(e, moved<0>(a[0], c4, r1), moved<44>(a[6], c0, r2), moved<43>(a[12], c1, r3), moved<21>(a[18], c2, r4),
             moved<14>(a[24], c3, r0));
  keccak_row(e + 5, moved<28>(a[3], c2, r4), moved<20>(a[9], c3, r0), moved<3>(a[10], c4, r1), moved<45>(a[16], c0, r2),
             moved<61>(a[22], c1, r3));
  keccak_row(e + 10, moved<1>(a[1], c0, r2), moved<6>(a[7], c1, r3), moved<25>(a[13], c2, r4), moved<8>(a[19], c3, r0),
             moved<18>(a[20], c4, r1));
  keccak_row(e + 15, moved<27>(a[4], c3, r0), moved<36>(a[5], c4, r1), moved<10>(a[11], c0, r2),
             moved<15>(a[17], c1, r3), moved<56>(a[23], c2, r4));
  keccak_row(e + 20, moved<62>(a[2], c1, r3), moved<55>(a[8], c2, r4), moved<39>(a[14], c3, r0),
             moved<41>(a[15], c4, r1), moved<2>(a[21], c0, r2));
  e[0] = e[0] ^ word_of(constant);
  UNROLL
  for (int i = 0; i < 25; i++) a[i] = e[i];
}

/// The first and the last round are separate: there the compiler drops what starts as zero and what nobody reads.
DEVICE void keccak_f1600(Word (&state)[25]) {
  keccak_round(state, round_constants[0]);
  NO_UNROLL
  for (int round = 1; round < 23; round++) keccak_round(state, round_constants[round]);
  keccak_round(state, round_constants[23]);
}

/// SHA3-512 of the first `Words` (under 9) words of `state`, into the first 8.
template <int Words>
DEVICE void sha3_512(Word (&state)[25]) {
  UNROLL
  for (int w = Words; w < 25; w++) state[w] = word_of(0);
  state[Words].low = 0x06;
  state[8].high |= 0x80000000;
  keccak_f1600(state);
}

/// mix[index][component]: a tree of selections, since registers have no index.
template <int Count>
DEVICE u32 component_of(const u32x4* mix, u32 index, int component) {
  if constexpr (Count == 1) {
    return mix[0][component];
  } else {
    const u32 low = component_of<Count / 2>(mix, index, component);
    const u32 high = component_of<Count / 2>(mix + Count / 2, index, component);
    return (index & (Count / 2)) != 0 ? high : low;
  }
}

/// Moves register d to register d ^ (lane & (Count - 1)), bit by bit of the lane's number.
template <int Count, int Bit, class Value>
DEVICE void swap_blocks(Value (&held)[Count], u32 lane) {
  if constexpr (Bit < Count) {
    const bool swaps = (lane & Bit) != 0;
    UNROLL
    for (int d = 0; d < Count; d++) {
      if ((d & Bit) != 0) continue;
      const Value low = held[d];
      held[d] = swaps ? held[d | Bit] : low;
      held[d | Bit] = swaps ? low : held[d | Bit];
    }
    swap_blocks<Count, 2 * Bit>(held, lane);
  }
}

/// Starts the reads of all hashes' rows before the first is used.
/// @param row that of hash number lane & (Hashes - 1)
template <int Lanes, int Hashes, int D>
DEVICE void load_rows(u32x4* data, const u32x4* rows, u32 lane, u32 row) {
  if constexpr (D < Hashes) {
    const u32 picked = shuffle<Lanes>(row, D);
    data[D] = load_block<Lanes>(rows + static_cast<u64>(picked) * Lanes, lane ^ D);
    load_rows<Lanes, Hashes, D + 1>(data, rows, lane, row);
  }
}

/// The memory-bound loop: `accesses` (a multiple of 4) times, each hash folds the row that its own mix picks.
/// @param lane this thread's place in its group
/// @param seed of the hash for which this lane picks: number lane & (Hashes - 1) of the pass
template <int Lanes, int Hashes, Bytes How>
DEVICE void fold_rows(u32x4 (&mix)[Hashes], u32 lane, u32 seed, const u32x4* rows, Modulus count, u32 accesses) {
  const u32 hash = lane & (Hashes - 1);
  swap_blocks<Hashes, 1>(mix, lane);
  NO_UNROLL
  for (u32 first = 0; first < accesses; first += 4) {
    const u32 block = (first / 4) & (Lanes - 1);
    UNROLL
    for (int c = 0; c < 4; c++) {
      const u32 word = shuffle<Lanes>(component_of<Hashes>(mix, lane ^ block, c), hash ^ block);
      const u32 row = remainder(fnv1<How>((first + static_cast<u32>(c)) ^ seed, word), count);
      u32x4 data[Hashes];
      load_rows<Lanes, Hashes, 0>(data, rows, lane, row);
      UNROLL
      for (int d = 0; d < Hashes; d++) mix[d] = fold_block<How>(mix[d], data[d]);
    }
  }
  swap_blocks<Hashes, 1>(mix, lane);
}

/// Block `d` of the group's values, one per thread in `words`, in the order that the mix of this pass needs.
template <int Lanes, int Hashes>
DEVICE u32x4 block_of_seed(const Word* words, u32 lane, u32 pass, int d) {
  const u32 owner = ((lane ^ static_cast<u32>(d)) & (Hashes - 1)) + pass * Hashes;
  const Word* const pair = words + 2 * (d % ITEM_BLOCKS);
  return u32x4{shuffle<Lanes>(pair[0].low, owner), shuffle<Lanes>(pair[0].high, owner),
               shuffle<Lanes>(pair[1].low, owner), shuffle<Lanes>(pair[1].high, owner)};
}

/// The item of this thread, whose blocks are one in each lane of its group, into the first words of `state`.
DEVICE void gather_item(Word* state, const u32x4* mix, u32 lane) {
  UNROLL
  for (int d = 0; d < ITEM_BLOCKS; d++) {
    const u32 holder = lane ^ static_cast<u32>(d);
    state[2 * d] = {shuffle<ITEM_BLOCKS>(mix[d][0], holder), shuffle<ITEM_BLOCKS>(mix[d][1], holder)};
    state[2 * d + 1] = {shuffle<ITEM_BLOCKS>(mix[d][2], holder), shuffle<ITEM_BLOCKS>(mix[d][3], holder)};
  }
}

template <Bytes How>
DEVICE void make_items(const Items& slice) {
  const u32 thread = thread_index();
  const u32 lane = thread % ITEM_BLOCKS;
  const bool in_slice = thread < slice.count;  // the others take part, since their lanes are needed
  const u32 index = slice.first + (in_slice ? thread : slice.count - 1);
  Word state[25];
  u32x4 mix[ITEM_BLOCKS];
  load_rows<ITEM_BLOCKS, ITEM_BLOCKS, 0>(mix, slice.cache, lane, remainder(index, slice.cache_items));
  swap_blocks<ITEM_BLOCKS, 1>(mix, lane);
  gather_item(state, mix, lane);
  state[0].low ^= index;
  sha3_512<8>(state);
  UNROLL
  for (int d = 0; d < ITEM_BLOCKS; d++) mix[d] = block_of_seed<ITEM_BLOCKS, ITEM_BLOCKS>(state, lane, 0, d);
  fold_rows<ITEM_BLOCKS, ITEM_BLOCKS, How>(mix, lane, index, slice.cache, slice.cache_items, ITEM_PARENTS);
  gather_item(state, mix, lane);
  sha3_512<8>(state);
  if (!in_slice) return;
  u32x4* const item = slice.dataset + static_cast<u64>(index) * ITEM_BLOCKS;
  UNROLL
  for (int b = 0; b < ITEM_BLOCKS; b++) {
    item[b] = u32x4{state[2 * b].low, state[2 * b].high, state[2 * b + 1].low, state[2 * b + 1].high};
  }
}

template <int Hashes, Bytes How>
DEVICE void search(const Search& job) {
  static_assert(Hashes >= ITEM_BLOCKS, "a register's block of the seed would differ from lane to lane");
  const u32 thread = thread_index();
  const u32 lane = thread % ROW_BLOCKS;
  Word state[25];
  UNROLL
  for (int w = 0; w < 4; w++) state[w] = word_of(job.seal_hash[w]);
  state[4] = word_of(job.first_nonce + thread);
  sha3_512<5>(state);
  u32 digest[ROW_BLOCKS];
  UNROLL
  for (int w = 0; w < ROW_BLOCKS; w++) digest[w] = 0;
  NO_UNROLL
  for (u32 pass = 0; pass < ROW_BLOCKS / Hashes; pass++) {
    u32x4 mix[Hashes];
    UNROLL
    for (int d = 0; d < Hashes; d++) mix[d] = block_of_seed<ROW_BLOCKS, Hashes>(state, lane, pass, d);
    const u32 seed = shuffle<ROW_BLOCKS>(state[0].low, (lane & (Hashes - 1)) + pass * Hashes);
    fold_rows<ROW_BLOCKS, Hashes, How>(mix, lane, seed, job.dataset, job.rows, ROW_ACCESSES);
    u32 folded[Hashes];
    UNROLL
    for (int d = 0; d < Hashes; d++) {
      folded[d] = fnv1<How>(fnv1<How>(fnv1<How>(mix[d][0], mix[d][1]), mix[d][2]), mix[d][3]);
    }
    UNROLL
    for (int b = 0; b < ROW_BLOCKS; b++) {
      const u32 block = static_cast<u32>(b);
      const u32 holder = ((lane ^ block) & (Hashes - 1)) | (block & (ROW_BLOCKS - Hashes));
      const u32 word = shuffle<ROW_BLOCKS>(folded[b % Hashes], holder);
      if (lane / Hashes == pass) digest[b] = word;
    }
  }
  UNROLL
  for (int w = 0; w < 4; w++) state[8 + w] = {digest[2 * w], digest[2 * w + 1]};
  UNROLL
  for (int w = 12; w < 25; w++) state[w] = word_of(0);
  state[12].low = 0x06;
  state[16].high = 0x80000000;
  keccak_f1600(state);
  const u64 top = (static_cast<u64>(__builtin_bswap32(state[0].low)) << 32) | __builtin_bswap32(state[0].high);
  if (top > job.target_top || thread >= job.nonces) return;
  const u32 place = count_up(job.results);
  if (place < RESULT_ROOM) job.results[1 + place] = thread;
}

// Entry points. Which search is the fastest differs between cards: the host times them (cuda_device.cpp).
#if XHASH_DOT
KERNEL(256, 3) xhash_items(Items slice) { make_items<Bytes::by_dot>(slice); }
KERNEL(256, 3) xhash_search_4_dot(Search job) { search<4, Bytes::by_dot>(job); }
KERNEL(256, 2) xhash_search_8_dot(Search job) { search<8, Bytes::by_dot>(job); }
#else
KERNEL(256, 3) xhash_items(Items slice) { make_items<Bytes::by_shift>(slice); }
#endif
KERNEL(256, 3) xhash_search_4(Search job) { search<4, Bytes::by_shift>(job); }
KERNEL(256, 2) xhash_search_8(Search job) { search<8, Bytes::by_shift>(job); }
