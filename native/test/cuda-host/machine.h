// resources/cuda/machine.cuh for the CPU: the same kernels, with a warp of fibers in place of a GPU's.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

#include "kernels.h"
#include "warp.h"

using u32 = std::uint32_t;
using u64 = unsigned long long;
using u32x4 = u32 __attribute__((vector_size(16)));

#define XHASH_DOT 1
#define DEVICE inline
#define CONSTANT constexpr
#define KERNEL(threads, blocks) static void
#define UNROLL
#define NO_UNROLL

DEVICE u32 thread_index() { return headframe::test::warp_thread(); }

template <int Lanes>
DEVICE u32 shuffle(u32 value, u32 lane) {
  const u32 own = thread_index() % headframe::test::warp_lanes;
  return headframe::test::warp_exchange(value, (own & ~u32{Lanes - 1}) | (lane & u32{Lanes - 1}));
}

template <int Blocks>
DEVICE u32x4 load_block(const u32x4* row, u32 index) {
  headframe::test::before_load(row + index);
  return row[index];
}

DEVICE u32 funnel_left(u32 high, u32 low, u32 bits) { return bits == 0 ? high : (high << bits) | (low >> (32 - bits)); }

DEVICE u32 multiply_high(u32 a, u32 b) { return static_cast<u32>((u64{a} * b) >> 32); }

template <int Index>
DEVICE u32 byte_by_dot(u32 word) {
  const u32 factors = u32{1} << (8 * Index);
  u32 sum = 0;
  for (int i = 0; i < 4; i++) sum += ((word >> (8 * i)) & 0xff) * ((factors >> (8 * i)) & 0xff);
  return sum;
}

DEVICE u32 count_up(u32* counter) { return std::atomic_ref<u32>(*counter).fetch_add(1); }
