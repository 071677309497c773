// Snappy, block format: every payload after Hello, and blocks of LevelDB's tables. The uncompressed length in a block is checked before anything is
// allocated. Source: google/snappy format_description.txt

const HASH_BITS = 14
/** Matches are searched within blocks of this size, so that positions fit 2-byte offsets. */
const BLOCK_BYTES = 65_536
const MIN_MATCH = 4

/** The uncompressed length stated by `data`, and where its elements start; null when the number is invalid. */
function promisedLength(data: Uint8Array): { readonly length: number; readonly start: number } | null {
  let length = 0
  for (let at = 0; at < 5; at++) {
    const byte = data[at]
    if (byte === undefined) return null
    length += (byte & 0x7f) * 2 ** (7 * at)
    if (byte < 0x80) return length < 2 ** 32 ? { length, start: at + 1 } : null
  }
  return null
}

/** Uncompresses at most `mostBytes`; null for anything that isn't exactly one block within that limit. */
export function unsnappy(data: Uint8Array, maxBytes: number): Uint8Array | null {
  const promised = promisedLength(data)
  // 3 bytes of input expand to at most 64: a larger stated length is impossible.
  if (promised === null || promised.length > maxBytes || promised.length > data.length * 32) return null
  const out = new Uint8Array(promised.length)
  let to = 0
  let at = promised.start
  while (at < data.length) {
    const tag = data[at++] ?? 0
    if ((tag & 3) === 0) {
      const small = tag >>> 2
      const extra = small < 60 ? 0 : small - 59
      if (at + extra > data.length) return null
      const length = (extra === 0 ? small : littleEndian(data, at, extra)) + 1
      at += extra
      if (at + length > data.length || to + length > out.length) return null
      out.set(data.subarray(at, at + length), to)
      at += length
      to += length
      continue
    }
    const extra = (tag & 3) === 3 ? 4 : tag & 3
    if (at + extra > data.length) return null
    const isShort = extra === 1
    const length = isShort ? 4 + ((tag >>> 2) & 7) : 1 + (tag >>> 2)
    const offset = isShort ? ((tag >>> 5) << 8) | (data[at] ?? 0) : littleEndian(data, at, extra)
    at += extra
    if (offset === 0 || offset > to || to + length > out.length) return null
    if (offset >= length) out.copyWithin(to, to - offset, to - offset + length)
    else for (let i = 0; i < length; i++) out[to + i] = out[to + i - offset] ?? 0
    to += length
  }
  return to === out.length ? out : null
}

function littleEndian(data: Uint8Array, at: number, count: number): number {
  let value = 0
  for (let i = 0; i < count; i++) value += (data[at + i] ?? 0) * 2 ** (8 * i)
  return value
}

/** One block. */
export function snappy(data: Uint8Array): Uint8Array {
  const out = new Uint8Array(32 + data.length + Math.ceil(data.length / 6))
  let to = 0
  for (let rest = data.length; ; rest = Math.floor(rest / 128)) {
    out[to++] = rest < 128 ? rest : (rest % 128) | 0x80
    if (rest < 128) break
  }
  const table = new Uint16Array(1 << HASH_BITS)
  for (let from = 0; from < data.length; from += BLOCK_BYTES) {
    table.fill(0)
    to = packBlock({ data, from, end: Math.min(data.length, from + BLOCK_BYTES), table, out }, to)
  }
  return out.slice(0, to)
}

interface PackJob {
  readonly data: Uint8Array
  readonly from: number
  readonly end: number
  readonly table: Uint16Array
  readonly out: Uint8Array
}

function packBlock(job: PackJob, start: number): number {
  const { data, from, end, table, out } = job
  let to = start
  let literal = from
  let at = from + 1
  let misses = 32
  while (at + MIN_MATCH <= end) {
    const word = wordAt(data, at)
    const slot = Math.imul(word, 0x1e35a7bd) >>> (32 - HASH_BITS)
    const candidate = from + (table[slot] ?? 0)
    table[slot] = at - from
    if (candidate >= at || wordAt(data, candidate) !== word) {
      at += misses++ >>> 5 // skip ahead faster through incompressible data
      continue
    }
    let length = MIN_MATCH
    while (at + length < end && data[at + length] === data[candidate + length]) length++
    to = putLiteral(out, to, data.subarray(literal, at))
    to = putCopy(out, to, at - candidate, length)
    at += length
    literal = at
    misses = 32
  }
  return putLiteral(out, to, data.subarray(literal, end))
}

function wordAt(data: Uint8Array, at: number): number {
  return (data[at] ?? 0) | ((data[at + 1] ?? 0) << 8) | ((data[at + 2] ?? 0) << 16) | ((data[at + 3] ?? 0) << 24)
}

function putLiteral(out: Uint8Array, at: number, bytes: Uint8Array): number {
  if (bytes.length === 0) return at
  let to = at
  const rest = bytes.length - 1
  if (rest < 60) out[to++] = rest << 2
  else if (rest < 256) {
    out[to++] = 60 << 2
    out[to++] = rest
  } else {
    out[to++] = 61 << 2
    out[to++] = rest & 0xff
    out[to++] = rest >>> 8
  }
  out.set(bytes, to)
  return to + bytes.length
}

function putCopy(out: Uint8Array, at: number, offset: number, length: number): number {
  let to = at
  for (let rest = length; rest > 0; ) {
    const part = Math.min(64, rest)
    out[to++] = ((part - 1) << 2) | 2
    out[to++] = offset & 0xff
    out[to++] = offset >>> 8
    rest -= part
  }
  return to
}
