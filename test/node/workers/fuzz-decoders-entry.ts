// Child of fuzz-decoders.test.ts: feeds the decoders of input from peers and files with random and damaged bytes, and
// reports the result as one JSON line. Arguments: seed, number of damaged inputs, block file.
import { readFileSync } from 'node:fs'
import { BlockSplitter, gasOfBlock } from '../../../src/node/block-file/block-splitter'
import { decodeRlp, encodeRlp, rlpSlices } from '../../../src/node/codec/rlp'
import { decodeBlock, encodeBlock } from '../../../src/node/model/block'
import { decodeHeader, encodeHeader } from '../../../src/node/model/header'
import { decodeTransaction } from '../../../src/node/model/transaction'

const [seedText = '1', countText = '1000', file = ''] = process.argv.slice(2)

/** mulberry32: small, and the same everywhere. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const random = randomOf(Number(seedText))
const upTo = (limit: number): number => Math.floor(random() * limit)
const noise = (length: number): Uint8Array => Uint8Array.from({ length }, () => upTo(256))

function listOf(payload: Uint8Array): Uint8Array {
  if (payload.length < 56) return Uint8Array.of(0xc0 + payload.length, ...payload)
  const out = new Uint8Array(5 + payload.length)
  out[0] = 0xfb
  new DataView(out.buffer).setUint32(1, payload.length)
  let start = 1
  while (out[start] === 0) start++
  const list = out.slice(start - 1)
  list[0] = 0xf7 + (5 - start)
  list.set(payload, 6 - start)
  return list
}

/** Of this process: other programs' work doesn't count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}

/** As a file is read. */
const CHUNK_BYTES = 256 * 1024
/** Items of a bomb: more than the decoder accepts, and about as many as it does. */
const ITEMS = [1_100_000, 300_000]

function deep(depth: number): Uint8Array {
  let item: Uint8Array = Uint8Array.of(0xc0)
  for (let level = 0; level < depth; level++) item = listOf(item)
  return item
}

/** Small inputs whose decoded form could be huge, one at a time. */
function* bombs(header: Uint8Array): Generator<Uint8Array> {
  yield* [deep(20), deep(500)]
  yield Uint8Array.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
  yield Uint8Array.from([0xbf, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])
  for (const count of ITEMS) {
    for (const byte of [0xc0, 0x80, 0x01]) {
      const many = new Uint8Array(count).fill(byte)
      yield* [many, listOf(many), listOf(listOf(many)), blockOf(header, many), accessListOf(many)]
    }
    for (const item of [Uint8Array.of(0x81, 0x80), Uint8Array.of(0xc1, 0x01)]) {
      const many = repeated(item, count)
      yield* [listOf(many), blockOf(header, many), accessListOf(many)]
    }
  }
}

function repeated(item: Uint8Array, count: number): Uint8Array {
  const out = new Uint8Array(count * item.length)
  for (let at = 0; at < out.length; at += item.length) out.set(item, at)
  return out
}

/** A block whose transactions are these bytes. */
function blockOf(header: Uint8Array, transactions: Uint8Array): Uint8Array {
  return listOf(Buffer.concat([header, listOf(transactions)]))
}

/** A transaction of type 1 with this access list. */
function accessListOf(entries: Uint8Array): Uint8Array {
  const before = Uint8Array.from([0x82, 0x08, 0x3e, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80])
  const after = Uint8Array.from([0x80, 0x01, 0x01])
  return Buffer.concat([Uint8Array.of(1), listOf(Buffer.concat([before, listOf(entries), after]))])
}

/** One of many kinds of damage: changed, added, removed, duplicated and moved bytes, other lengths. */
function damaged(source: Uint8Array): Uint8Array {
  const bytes = [...source]
  for (let count = 1 + upTo(4); count > 0; count--) {
    const at = upTo(bytes.length + 1)
    const kind = upTo(6)
    if (kind === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << upTo(8))
    else if (kind === 1) bytes[at] = [0x00, 0x7f, 0x80, 0xb7, 0xb8, 0xbf, 0xc0, 0xf7, 0xf8, 0xff][upTo(10)] ?? 0
    else if (kind === 2) bytes.splice(at, 1 + upTo(8))
    else if (kind === 3) bytes.splice(at, 0, ...noise(1 + upTo(8)))
    else if (kind === 4) bytes.length = at
    else bytes.splice(at, 0, ...bytes.slice(upTo(bytes.length), upTo(bytes.length)))
  }
  return Uint8Array.from(bytes.slice(0, 200_000))
}

function same(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0
}

/** Whether accepted input has only one encoding. @returns what was accepted */
function tryAll(bytes: Uint8Array): readonly string[] {
  const taken: string[] = []
  const check = (name: string, isSame: boolean): void => {
    if (!isSame) throw new Error(`${name}: decoded and encoded again it differs: ${Buffer.from(bytes).toString('hex')}`)
    taken.push(name)
  }
  const item = decodeRlp(bytes)
  if (item.ok) check('rlp', same(encodeRlp(item.value), bytes))
  const header = decodeHeader(bytes)
  if (header.ok) check('header', same(encodeHeader(header.value), bytes))
  const tx = decodeTransaction(bytes)
  if (tx.ok) check('transaction', same(tx.value.raw, bytes))
  const block = decodeBlock(bytes)
  if (block.ok) check('block', same(encodeBlock(block.value), bytes))
  let whole = 0
  for (const part of rlpSlices(bytes)) if (part.ok) whole += part.value.encoded.length
  if (whole > bytes.length) throw new Error('the items of a sequence are longer than it')
  const splitter = new BlockSplitter()
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const { pieces, broken } = splitter.push(bytes.subarray(at, at + CHUNK_BYTES))
    for (const piece of pieces) if (gasOfBlock(piece.bytes) < 0) throw new Error('negative gas')
    if (broken !== null) break
  }
  return taken
}

function main(): void {
  const blocks: Uint8Array[] = []
  for (const part of rlpSlices(readFileSync(file))) if (part.ok) blocks.push(part.value.encoded)
  const good: Uint8Array[] = [...blocks]
  for (const bytes of blocks.slice(0, 60)) {
    const block = decodeBlock(bytes)
    if (!block.ok) throw new Error(block.error)
    good.push(encodeHeader(block.value.header), ...block.value.transactions.map((tx) => tx.raw))
  }
  const taken = new Map<string, number>()
  const before = process.resourceUsage().maxRSS
  let runs = 0
  let slowestMs = 0
  const once = (bytes: Uint8Array): void => {
    const startedAt = cpuMs()
    for (const name of tryAll(bytes)) taken.set(name, (taken.get(name) ?? 0) + 1)
    slowestMs = Math.max(slowestMs, cpuMs() - startedAt)
    runs++
  }
  for (const bytes of good) once(bytes)
  const goodTaken = Object.fromEntries(taken)
  for (let left = Number(countText); left > 0; left--)
    once(random() < 0.2 ? noise(upTo(300)) : damaged(good[upTo(good.length)] ?? noise(9)))
  const header = good[blocks.length] ?? noise(9)
  for (const bytes of bombs(header)) once(bytes)
  const grownMb = (process.resourceUsage().maxRSS - before) / 1024
  process.stdout.write(`${JSON.stringify({ runs, slowestMs, grownMb, goodTaken, good: good.length })}\n`)
}

main()
