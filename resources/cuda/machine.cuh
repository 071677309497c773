// What xhash.cu needs from the machine, for NVIDIA GPUs and clang without NVIDIA's headers. Tests replace it
// (native/test/cuda-host/machine.h), which runs the same kernels on the CPU.
#pragma once

typedef unsigned int u32;
typedef unsigned long long u64;
typedef u32 __attribute__((ext_vector_type(4))) u32x4;

#define DEVICE static __attribute__((device)) inline __attribute__((always_inline))
#define CONSTANT static __attribute__((constant)) const
/// An entry point: at most `threads` per block, registers for at least `blocks` blocks per multiprocessor.
#define KERNEL(threads, blocks) \
  extern "C" __attribute__((global)) __attribute__((launch_bounds(threads, blocks))) void
#define UNROLL _Pragma("unroll")
#define NO_UNROLL _Pragma("nounroll")

/// Index of this thread in the whole launch.
DEVICE u32 thread_index() {
  return __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() + __nvvm_read_ptx_sreg_tid_x();
}

/// `value` of lane `lane` (only its lowest bits count) of the caller's group of `Lanes`; all 32 lanes of the warp take
/// part.
template <int Lanes>
DEVICE u32 shuffle(u32 value, u32 lane) {
  return static_cast<u32>(__nvvm_shfl_sync_idx_i32(0xffffffff, static_cast<int>(value), static_cast<int>(lane),
                                                   ((32 - Lanes) << 8) | 31));
}

/// Block `index` of a row of `Blocks` that no kernel of this launch writes.
template <int Blocks>
DEVICE u32x4 load_block(const u32x4* row, u32 index) {
  const u32x4* const address = row + index;
#if XHASH_CACHE_HINTS
  // Rows are at random places, so the L1 cache never holds one again; a whole row is one line of the L2 cache.
  const auto global = (const __attribute__((address_space(1))) u32x4*)address;
  u32 a, b, c, d;
  if constexpr (Blocks == 8) {
    asm("ld.global.nc.L1::no_allocate.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
        : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
        : "l"(global));
  } else {
    asm("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
        : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
        : "l"(global));
  }
  return {a, b, c, d};
#else
  return __nvvm_ldg_ui4(address);
#endif
}

/// The upper half of (high:low) shifted left by `bits` (0..31).
DEVICE u32 funnel_left(u32 high, u32 low, u32 bits) {
  u32 out;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(out) : "r"(low), "r"(high), "r"(bits));
  return out;
}

DEVICE u32 multiply_high(u32 a, u32 b) { return static_cast<u32>((static_cast<u64>(a) * b) >> 32); }

#if XHASH_DOT
/// Byte `Index` of `word` by the multiplying pipe, which is idle while the shifting one is busy.
template <int Index>
DEVICE u32 byte_by_dot(u32 word) {
  u32 out;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(out) : "r"(word), "r"(1u << (8 * Index)), "r"(0u));
  return out;
}
#endif

/// Adds 1 and returns the previous value.
DEVICE u32 count_up(u32* counter) { return __atomic_fetch_add(counter, 1u, __ATOMIC_RELAXED); }
