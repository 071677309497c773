// XHash on OpenCL: the dataset from the cache, and the search over it. Compiled at run time by native/src/gpu/opencl.
//
// Buffers: cache = cache_items x 16 words; the dataset's rows of 32 words are in PARTS buffers, row r in buffer
// r % PARTS at r / PARTS (devices limit the size of one buffer); hits = a count, then the first ROOM offsets.
// Launch: 1-D. make_items: a work item makes INTERLEAVE items. search: with LANES 1, a work item tries INTERLEAVE
// nonces alone, which suits CPUs; with LANES 4 or 8, that many work items read each row together, 16 bytes side by side
// in each load, which suits GPUs. Such a team has two hashes in flight and exchanges words within a wave on AMD's GPUs,
// otherwise over `shared` with barriers that the whole group reaches. Groups then have GROUP work items: where that is
// one wave, compilers drop the barriers.
// Bound by memory latency (make_items: of the cache; search: of the dataset) if registers and multipliers suffice.
// Little-endian devices only. Words are uint; PARTS, INTERLEAVE, LANES, GROUP and ROOM must agree with the host.
#if !defined(PARTS) || !defined(INTERLEAVE) || !defined(LANES) || !defined(GROUP) || !defined(ROOM)
#error "the host must define PARTS (1, 2, 4), INTERLEAVE (1, 4), LANES (1, 4, 8), GROUP (0: any) and ROOM"
#endif

#define FNV_PRIME 0x01000193u
#define ACCESSES 64u

// Devices that sum the products of four pairs of bytes at once. Tests can define FNV_BY_DOT without them.
#if defined(__gfx906__) || defined(__gfx908__) || defined(__gfx90a__) || defined(__gfx940__) || defined(__gfx941__) || \
    defined(__gfx942__) || defined(__gfx1011__) || defined(__gfx1012__) || defined(__gfx1030__) ||                    \
    defined(__gfx1031__) || defined(__gfx1032__) || defined(__gfx1033__) || defined(__gfx1034__) ||                   \
    defined(__gfx1035__) || defined(__gfx1036__) || defined(__gfx1100__) || defined(__gfx1101__) ||                   \
    defined(__gfx1102__) || defined(__gfx1103__) || defined(__gfx1150__) || defined(__gfx1151__) ||                   \
    defined(__gfx1200__) || defined(__gfx1201__)
#define FNV_BY_DOT 1
#define DOT4(a, b, c) __builtin_amdgcn_udot4(a, b, c, 0)
#elif defined(FNV_BY_DOT)
static inline uint DOT4(uint a, uint b, uint c)
{
    return c + (a & 0xffu) * (b & 0xffu) + ((a >> 8) & 0xffu) * ((b >> 8) & 0xffu) +
           ((a >> 16) & 0xffu) * ((b >> 16) & 0xffu) + (a >> 24) * (b >> 24);
}
#endif

// FNV-1 byte by byte, lowest first: one multiplication per byte. Works for words and for vectors of words.
#define FNV_BODY(u, v)                       \
    u = (u * FNV_PRIME) ^ (v & 0xffu);       \
    u = (u * FNV_PRIME) ^ ((v >> 8) & 0xffu);  \
    u = (u * FNV_PRIME) ^ ((v >> 16) & 0xffu); \
    u = (u * FNV_PRIME) ^ (v >> 24);         \
    return u;

#ifdef FNV_BY_DOT
// The prime is 2^24 + 0x193, so the low 24 bits never depend on the top 8: they go through 24-bit products, which cost
// a quarter of a 32-bit one. The top byte becomes, with m = 0x93 and all modulo 256, m^4 times itself; each product
// adds its own top byte and the low byte of what was multiplied, times m for every multiplication that follows. Both
// are in the same word: a product with the next byte folded in. m^2 = 0x69, m^3 = 0x4b, m^4 = 0x11.
static inline uint fnv1(uint u, uint v)
{
    uint top = DOT4(u, 0x1100004bu, 0u);
    u = ((u & 0xffffffu) * 0x193u) ^ (v & 0xffu);
    top = DOT4(u, 0x4b000069u, top);
    u = ((u & 0xffffffu) * 0x193u) ^ ((v >> 8) & 0xffu);
    top = DOT4(u, 0x69000093u, top);
    u = ((u & 0xffffffu) * 0x193u) ^ ((v >> 16) & 0xffu);
    top = DOT4(u, 0x93000001u, top);
    u = ((u & 0xffffffu) * 0x193u) ^ (v >> 24);
    return u + (top << 24);
}
#else
static inline uint fnv1(uint u, uint v) { FNV_BODY(u, v) }
#endif

// A test on the CPU includes this file up to here.
#ifndef FNV_ALONE

#ifdef FNV_BY_DOT
static inline uint4 fnv4(uint4 u, uint4 v)
{
    return (uint4)(fnv1(u.s0, v.s0), fnv1(u.s1, v.s1), fnv1(u.s2, v.s2), fnv1(u.s3, v.s3));
}
static inline uint16 fnv16(uint16 u, uint16 v)
{
    return (uint16)(fnv4(u.s0123, v.s0123), fnv4(u.s4567, v.s4567), fnv4(u.s89ab, v.s89ab), fnv4(u.scdef, v.scdef));
}
#else
static inline uint4 fnv4(uint4 u, uint4 v) { FNV_BODY(u, v) }
static inline uint16 fnv16(uint16 u, uint16 v) { FNV_BODY(u, v) }
#endif

#if GROUP > 0
#define OF_GROUP(size) __attribute__((reqd_work_group_size(size, 1, 1)))
#else
#define OF_GROUP(size)
#endif

// n modulo divisor, exact for every n: reciprocal = min(2^32 / divisor, 2^32 - 1) gives a quotient at most one too small.
static inline uint remainder_of(uint n, uint divisor, uint reciprocal)
{
    const uint rest = n - mul_hi(n, reciprocal) * divisor;
    return rest >= divisor ? rest - divisor : rest;
}

#if PARTS == 1
#define DATASET_PARAMETERS __global uint *part0
#define ROW(r) (part0 + (size_t)(r) * 32)
#elif PARTS == 2
#define DATASET_PARAMETERS __global uint *part0, __global uint *part1
#define ROW(r) (((r) & 1 ? part1 : part0) + (size_t)((r) >> 1) * 32)
#else
#define DATASET_PARAMETERS __global uint *part0, __global uint *part1, __global uint *part2, __global uint *part3
#define ROW(r) \
    (((r) & 2 ? ((r) & 1 ? part3 : part2) : ((r) & 1 ? part1 : part0)) + (size_t)((r) >> 2) * 32)
#endif

// M(n, a) for each of the interleaved nonces or items n: while one waits for memory, the others continue.
#if INTERLEAVE == 1
#define EACH(M, a) M(0, a)
#else
#define EACH(M, a) M(0, a) M(1, a) M(2, a) M(3, a)
#endif
#define EACH_WORD(S) \
    S(s0) S(s1) S(s2) S(s3) S(s4) S(s5) S(s6) S(s7) S(s8) S(s9) S(sa) S(sb) S(sc) S(sd) S(se) S(sf)

__constant ulong round_constants[24] = {
    0x0000000000000001UL, 0x0000000000008082UL, 0x800000000000808aUL, 0x8000000080008000UL, 0x000000000000808bUL,
    0x0000000080000001UL, 0x8000000080008081UL, 0x8000000000008009UL, 0x000000000000008aUL, 0x0000000000000088UL,
    0x0000000080008009UL, 0x000000008000000aUL, 0x000000008000808bUL, 0x800000000000008bUL, 0x8000000000008089UL,
    0x8000000000008003UL, 0x8000000000008002UL, 0x8000000000000080UL, 0x000000000000800aUL, 0x800000008000000aUL,
    0x8000000080008081UL, 0x8000000000008080UL, 0x0000000080000001UL, 0x8000000080008008UL,
};

#define COLUMN(x) const ulong c##x = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
#define THETA(x, left, right)                            \
    d = c##left ^ rotate(c##right, 1UL);                 \
    a[x] ^= d; a[x + 5] ^= d; a[x + 10] ^= d; a[x + 15] ^= d; a[x + 20] ^= d;
#define RHO_PI(to, by) d = a[to]; a[to] = rotate(last, (ulong)by); last = d;
#define CHI(y)                                           \
    c0 = a[y]; c1 = a[y + 1]; c2 = a[y + 2];             \
    a[y] = c0 ^ (~c1 & c2);                              \
    a[y + 1] = c1 ^ (~c2 & a[y + 3]);                    \
    a[y + 2] = c2 ^ (~a[y + 3] & a[y + 4]);              \
    a[y + 3] = a[y + 3] ^ (~a[y + 4] & c0);              \
    a[y + 4] = a[y + 4] ^ (~c0 & c1);

static inline void theta_rho_pi(ulong *a)
{
    COLUMN(0) COLUMN(1) COLUMN(2) COLUMN(3) COLUMN(4)
    ulong d;
    THETA(0, 4, 1) THETA(1, 0, 2) THETA(2, 1, 3) THETA(3, 2, 4) THETA(4, 3, 0)
    ulong last = a[1];
    RHO_PI(10, 1) RHO_PI(7, 3) RHO_PI(11, 6) RHO_PI(17, 10) RHO_PI(18, 15) RHO_PI(3, 21) RHO_PI(5, 28) RHO_PI(16, 36)
    RHO_PI(8, 45) RHO_PI(21, 55) RHO_PI(24, 2) RHO_PI(4, 14) RHO_PI(15, 27) RHO_PI(23, 41) RHO_PI(19, 56)
    RHO_PI(13, 8) RHO_PI(12, 25) RHO_PI(2, 43) RHO_PI(20, 62) RHO_PI(14, 18) RHO_PI(22, 39) RHO_PI(9, 61)
    RHO_PI(6, 20) RHO_PI(1, 44)
}

static inline void keccak_f1600(ulong *a)
{
    for (uint round = 0; round < 24; round++) {
        theta_rho_pi(a);
        ulong c0, c1, c2;
        CHI(0) CHI(5) CHI(10) CHI(15) CHI(20)
        a[0] ^= round_constants[round];
    }
}

#define PADDING_START 0x06UL
#define PADDING_END 0x8000000000000000UL

// SHA3-512 of 64 bytes: one block of 72.
static inline ulong8 sha3_512_item(ulong8 item)
{
    ulong a[25];
    vstore8(item, 0, a);
    a[8] = PADDING_START | PADDING_END;
    for (uint i = 9; i < 25; i++) a[i] = 0;
    keccak_f1600(a);
    return vload8(0, a);
}

// SHA3-512 of seal hash and nonce, 40 bytes.
static inline ulong8 seed_of(ulong4 seal, ulong nonce)
{
    ulong a[25];
    vstore4(seal, 0, a);
    a[4] = nonce;
    a[5] = PADDING_START;
    a[6] = 0;
    a[7] = 0;
    a[8] = PADDING_END;
    for (uint i = 9; i < 25; i++) a[i] = 0;
    keccak_f1600(a);
    return vload8(0, a);
}

// The first 64 bits, as a big-endian number, of SHA3-256 of seed and mix digest, 96 bytes.
static inline ulong result_top(ulong8 seed, ulong4 digest)
{
    ulong a[25];
    vstore8(seed, 0, a);
    vstore4(digest, 2, a);
    a[12] = PADDING_START;
    for (uint i = 13; i < 25; i++) a[i] = 0;
    a[16] = PADDING_END;
    keccak_f1600(a);
    return as_ulong(as_uchar8(a[0]).s76543210);
}

static inline void report(__global uint *hits, uint offset)
{
    const uint place = atomic_inc(hits);
    if (place < ROOM) hits[1 + place] = offset;
}

#define START_ITEM(n, a)                                                                        \
    const uint index##n = first + min(own + n, count - 1);                                      \
    uint16 mix##n = vload16(remainder_of(index##n, cache_items, cache_reciprocal), cache);      \
    mix##n.s0 ^= index##n;                                                                      \
    mix##n = as_uint16(sha3_512_item(as_ulong8(mix##n)));
#define PICK_PARENT(n, word) \
    const uint parent##n = remainder_of(fnv1(index##n ^ k, mix##n.word), cache_items, cache_reciprocal);
#define FOLD_PARENT(n, a) mix##n = fnv16(mix##n, vload16(parent##n, cache));
#define PARENT(word) { EACH(PICK_PARENT, word) EACH(FOLD_PARENT, 0) k++; }
#define END_ITEM(n, a)                                                      \
    if (own + n < count) {                                                  \
        mix##n = as_uint16(sha3_512_item(as_ulong8(mix##n)));               \
        vstore16(mix##n, index##n & 1, ROW(index##n >> 1));                 \
    }

// Items [first, first + count) of the dataset, with a GROUP in groups of 64. The host keeps launches short.
__kernel OF_GROUP(64) void make_items(__global const uint *cache, uint cache_items, uint cache_reciprocal, uint first, uint count,
                         DATASET_PARAMETERS)
{
    const uint own = (uint)get_global_id(0) * INTERLEAVE;
    if (own >= count) return;
    EACH(START_ITEM, 0)
    for (uint k = 0; k < 256;) {
        EACH_WORD(PARENT)
    }
    EACH(END_ITEM, 0)
}

#if LANES == 1

#define START_HASH(n, a)                                              \
    const ulong8 seed##n = seed_of(seal, first_nonce + offset + n);   \
    const uint seed_word##n = as_uint16(seed##n).s0;                  \
    uint16 low##n = as_uint16(seed##n);                               \
    uint16 high##n = low##n;
#define PICK_LOW(n, word) const uint row##n = remainder_of(fnv1(i ^ seed_word##n, low##n.word), rows, rows_reciprocal);
#define PICK_HIGH(n, word) const uint row##n = remainder_of(fnv1(i ^ seed_word##n, high##n.word), rows, rows_reciprocal);
#define FOLD_ROW(n, a) {                             \
        __global const uint *row = ROW(row##n);      \
        low##n = fnv16(low##n, vload16(0, row));     \
        high##n = fnv16(high##n, vload16(1, row));   \
    }
#define ACCESS_LOW(word) { EACH(PICK_LOW, word) EACH(FOLD_ROW, 0) i++; }
#define ACCESS_HIGH(word) { EACH(PICK_HIGH, word) EACH(FOLD_ROW, 0) i++; }
#define END_HASH(n, a)                                                                      \
    if (result_top(seed##n, as_ulong4((uint8)(fold(low##n), fold(high##n)))) <= target_top) \
        report(hits, offset + n);

static inline uint4 fold(uint16 half_row)
{
    uint4 folded;
    folded.s0 = fnv1(fnv1(fnv1(half_row.s0, half_row.s1), half_row.s2), half_row.s3);
    folded.s1 = fnv1(fnv1(fnv1(half_row.s4, half_row.s5), half_row.s6), half_row.s7);
    folded.s2 = fnv1(fnv1(fnv1(half_row.s8, half_row.s9), half_row.sa), half_row.sb);
    folded.s3 = fnv1(fnv1(fnv1(half_row.sc, half_row.sd), half_row.se), half_row.sf);
    return folded;
}

__kernel void search(ulong4 seal, ulong first_nonce, ulong target_top, uint rows, uint rows_reciprocal,
                     uint nonces, __global uint *hits, __local uint *shared, DATASET_PARAMETERS)
{
    const uint offset = (uint)get_global_id(0) * INTERLEAVE;
    EACH(START_HASH, 0)
    for (uint i = 0; i < ACCESSES;) {
        EACH_WORD(ACCESS_LOW)
        EACH_WORD(ACCESS_HIGH)
    }
    EACH(END_HASH, 0)
}

#else

// What a team of lanes shares: two seeds, then two digests, and what its lanes exchange for an access.
#define SHARED_WORDS 36

// A lane holds of each of the team's two hashes `a`, words 4 * lane to 4 * lane + 3, and with 4 lanes `b`, from word 16
// on.
#if LANES == 4
#define EACH_BLOCK(M) M(0, a, 0) M(0, b, 4) M(1, a, 0) M(1, b, 4)
#else
#define EACH_BLOCK(M) M(0, a, 0) M(1, a, 0)
#endif

// TELL_WORD: `own` is the owner's word of hash lane % 2. TELL_ROWS: the rows that lanes 0 and 1 picked.
#ifdef __AMDGCN__
#define TELL_WORD(half, word)                                                              \
    const uint word0 = __builtin_amdgcn_ds_bpermute((int)(base + owner) * 4, mix0##half.word); \
    const uint word1 = __builtin_amdgcn_ds_bpermute((int)(base + owner) * 4, mix1##half.word); \
    const uint own = (lane & 1) != 0 ? word1 : word0;
#define TELL_ROWS(picked)                                                    \
    const uint row0 = __builtin_amdgcn_ds_bpermute((int)base * 4, picked);   \
    const uint row1 = __builtin_amdgcn_ds_bpermute((int)base * 4 + 4, picked);
#else
#define TELL_WORD(half, word)               \
    if (lane == owner) {                    \
        team[32] = mix0##half.word;         \
        team[33] = mix1##half.word;         \
    }                                       \
    barrier(CLK_LOCAL_MEM_FENCE);           \
    const uint own = team[32 + lane % 2];
#define TELL_ROWS(picked)                   \
    if (lane < 2) team[34 + lane] = picked; \
    barrier(CLK_LOCAL_MEM_FENCE);           \
    const uint row0 = team[34];             \
    const uint row1 = team[35];
#endif

#define START_BLOCK(n, half, block) uint4 mix##n##half = vload4((lane + block) % 4, team + 16 * n);
#define LOAD_BLOCK(n, half, block) const uint4 data##n##half = ((__global const uint4 *)ROW(row##n))[lane + block];
#define FOLD_BLOCK(n, half, block) mix##n##half = fnv4(mix##n##half, data##n##half);
#define END_BLOCK(n, half, block)      \
    team[8 * n + lane + block] =       \
        fnv1(fnv1(fnv1(mix##n##half.s0, mix##n##half.s1), mix##n##half.s2), mix##n##half.s3);

// Requests all rows before the first is used.
#define ACCESS(half, word) {                                                                    \
        TELL_WORD(half, word)                                                                   \
        const uint picked = remainder_of(fnv1(i ^ seed_word, own), rows, rows_reciprocal);      \
        TELL_ROWS(picked)                                                                       \
        EACH_BLOCK(LOAD_BLOCK)                                                                  \
        EACH_BLOCK(FOLD_BLOCK)                                                                  \
        i++;                                                                                    \
    }
#define SWEEP(half)                                                                             \
    __attribute__((opencl_unroll_hint(1)))                                                      \
    for (uint owner = 0; owner < LANES; owner++) {                                              \
        ACCESS(half, s0) ACCESS(half, s1) ACCESS(half, s2) ACCESS(half, s3)                     \
    }

// Work items at or past `nonces` help their team and report nothing.
__kernel OF_GROUP(GROUP) void search(ulong4 seal, ulong first_nonce, ulong target_top, uint rows, uint rows_reciprocal,
                                     uint nonces, __global uint *hits, __local uint *shared, DATASET_PARAMETERS)
{
    const uint offset = (uint)get_global_id(0);
    const uint lane = (uint)get_local_id(0) % LANES;
    const uint base = (uint)get_local_id(0) - lane;
    __local uint *team = shared + base / LANES * SHARED_WORDS;
    const ulong8 seed = seed_of(seal, first_nonce + offset);
    ulong4 digest = 0;
    // The lanes compute their team's hashes two at a time, all together.
    __attribute__((opencl_unroll_hint(1)))
    for (uint turn = 0; turn < LANES; turn += 2) {
        if (lane - turn < 2) vstore16(as_uint16(seed), lane - turn, team);
        barrier(CLK_LOCAL_MEM_FENCE);
        const uint seed_word = team[lane % 2 * 16];
        EACH_BLOCK(START_BLOCK)
        barrier(CLK_LOCAL_MEM_FENCE);
        __attribute__((opencl_unroll_hint(1)))
        for (uint i = 0; i < ACCESSES;) {
            SWEEP(a)
#if LANES == 4
            SWEEP(b)
#endif
        }
        EACH_BLOCK(END_BLOCK)
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane - turn < 2) digest = as_ulong4(vload8(lane - turn, team));
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (offset < nonces && result_top(seed, digest) <= target_top) report(hits, offset);
}

#endif
#endif
