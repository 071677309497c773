// Blocks that a chain must contain to be ours, named by the operator by height. They can only reject: a chain that has
// them is still fully verified, and none is preferred for them.
// Source: go-ethereum 1.10 eth/handler.go (the request to each new peer)

import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { equalBytes } from '../../../base/bytes'
import { hasCode, messageOf } from '../../../base/errors'
import { bytesOfHex, fromHex, toHex } from '../../../base/hex'
import { fail, ok, type Result } from '../../codec/result'
import { P2pError } from '../../errors'
import { type BlockHeader, blockHash } from '../../model/header'
import { personalHash, recoverAddress } from '../../model/sender'
import { DISCONNECT } from '../../protocol/base-messages'
import type { HeadChange } from '../../worker/wire/shapes'
import type { NetworkParts, P2pChain } from '../network-parts'
import { fetchHeaders } from '../peer/fetch'
import type { Peer } from '../peer/peer'

/** Limited because every new peer is asked for each of them. */
const MAX_BLOCKS = 64
const HASH = z.string().regex(/^0x[0-9a-fA-F]{64}$/)
const FILE = z.strictObject({
  genesis: HASH,
  blocks: z
    .array(z.strictObject({ number: z.int().min(1), hash: HASH }))
    .min(1)
    .max(MAX_BLOCKS),
  signature: z.string().regex(/^0x[0-9a-fA-F]{130}$/),
})

/** The text to sign as wallets and `personal_sign` do (EIP-191), so that its signer can read it. @param genesis 32 bytes */
export function checkpointText(genesis: Uint8Array, blocks: RequiredBlocks): string {
  const lines = [...blocks].map(([number, hash]) => `${number} ${toHex(hash)}`)
  return ['Parallax checkpoint', `genesis ${toHex(genesis)}`, ...lines].join('\n')
}

/** @param text of the file @param signer address of the required signing key, 20 bytes */
export function readCheckpoint(
  text: string,
  signer: Uint8Array,
): Result<{ readonly genesis: Uint8Array; readonly blocks: RequiredBlocks }> {
  const read = parsed(text)
  if (!read.ok) return read
  const { genesis, blocks, signature } = read.value
  const numbers = blocks.map(({ number }) => number)
  if (numbers.some((number, index) => index > 0 && number <= (numbers[index - 1] ?? 0)))
    return fail('blocks: want rising numbers')
  const checkpoint = {
    genesis: bytesOfHex(genesis, 32),
    blocks: new Map(blocks.map(({ number, hash }) => [BigInt(number), bytesOfHex(hash, 32)])),
  }
  const found = signerOf(checkpointText(checkpoint.genesis, checkpoint.blocks), signature)
  if (found === null) return fail('signature: not one of 65 bytes that ends in 27 or 28')
  if (!equalBytes(found, signer)) return fail(`signature: made by ${toHex(found)}, want ${toHex(signer)}`)
  return ok(checkpoint)
}

function parsed(text: string): Result<z.infer<typeof FILE>> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return fail('not JSON')
  }
  const read = FILE.safeParse(value)
  return read.success ? ok(read.data) : fail(messageOf(read.error))
}

function signerOf(text: string, signature: string): Uint8Array | null {
  const bytes = fromHex(signature)
  const parity = (bytes?.[64] ?? 0) - 27
  if (bytes === null || (parity !== 0 && parity !== 1)) return null
  const hash = personalHash(new TextEncoder().encode(text))
  return recoverAddress({ hash, signature: bytes.subarray(0, 64), recoveryId: parity })
}

export interface RequiredSettings {
  /** Hashes of 32 bytes. */
  readonly blocks: readonly { readonly number: bigint; readonly hash: Uint8Array }[]
  /** Absolute path of the file, and the 20-byte address of the required signing key. */
  readonly checkpoint: { readonly file: string; readonly signer: Uint8Array } | null
}

export const NOTHING_REQUIRED: RequiredSettings = { blocks: [], checkpoint: null }

const MAX_FILE_BYTES = 64 * 1024

/** @param genesisHash of the chain here, 32 bytes @throws P2pError P2P_CHECKPOINT */
export async function requiredBlocks(settings: RequiredSettings, genesisHash: Uint8Array): Promise<RequiredBlocks> {
  const required = new Map(settings.blocks.map(({ number, hash }) => [number, hash]))
  if (settings.checkpoint === null) return required
  const { file, signer } = settings.checkpoint
  const refuse = (reason: string) => new P2pError('P2P_CHECKPOINT', { file, reason })
  const text = await boundedText(file).catch((error: unknown) => Promise.reject(refuse(messageOf(error))))
  const read = readCheckpoint(text, signer)
  if (!read.ok) throw refuse(read.error)
  const { genesis, blocks } = read.value
  if (!equalBytes(genesis, genesisHash))
    throw refuse(`it is for the chain with genesis ${toHex(genesis)}, this one has ${toHex(genesisHash)}`)
  for (const [number, hash] of blocks) {
    const named = required.get(number)
    if (named !== undefined && !equalBytes(named, hash))
      throw refuse(`block ${number} is ${toHex(hash)}, --prl.requiredblocks says ${toHex(named)}`)
    required.set(number, hash)
  }
  return required
}

/** @throws what reading throws; RangeError */
async function boundedText(file: string): Promise<string> {
  const { size } = await stat(file)
  if (size > MAX_FILE_BYTES) throw new RangeError(`${size} bytes, want at most ${MAX_FILE_BYTES}`)
  return readFile(file, 'utf8')
}

/** 32-byte hash by height. */
export type RequiredBlocks = ReadonlyMap<bigint, Uint8Array>

/** A peer on another chain usually stays there; it may reconnect in case it switched. */
const OTHER_CHAIN_BAN_MS = 60 * 60_000
/** prlx's. */
const ANSWER_MS = 15_000

/** What our own chain has at the height of a required block; hashes as text. */
export interface WrongBlock {
  readonly height: number
  readonly here: string
  readonly required: string
}

/** In words, for answers and lines. */
export function wrongBlockText({ height, here, required }: WrongBlock): string {
  return `block ${height} is ${here}, required is ${required}`
}

/** Asks each new peer for the required blocks, and compares our own chain with them. */
export class RequiredCheck {
  readonly #wrong = new Map<number, WrongBlock>()

  constructor(
    private readonly required: RequiredBlocks,
    private readonly deps: Pick<NetworkParts, 'bans' | 'log'>,
  ) {}

  /** The lowest one at which our own chain has another block; null = none. */
  wrongBlock(): WrongBlock | null {
    return [...this.#wrong.values()].sort((a, b) => a.height - b.height)[0] ?? null
  }

  /** Disconnects when the block is another one, or no answer comes. A peer that hasn't reached that height may stay. */
  ask(peer: Peer): void {
    for (const [number, hash] of this.required)
      this.#askFor(peer, number, hash).catch((error: unknown) => {
        if (hasCode(error, 'P2P_CLOSED')) return
        this.#drop(peer, `no answer about required block ${number}: ${messageOf(error)}`, 0)
      })
  }

  /** Call it at startup. */
  async lookAtOwn(chain: P2pChain): Promise<void> {
    const heights = [...this.required.keys()]
    const own = await chain.canonical(heights)
    for (const [index, height] of heights.entries()) this.#compare(Number(height), own[index] ?? null)
  }

  /** Call it for each change of our head. */
  headChanged({ removed, added }: Pick<HeadChange, 'removed' | 'added'>): void {
    if (this.required.size === 0) return
    for (const { number } of removed) this.#wrong.delete(number)
    for (const { number, hash } of added) this.#compare(number, hash)
  }

  #compare(height: number, found: Uint8Array | null): void {
    const wanted = this.required.get(BigInt(height))
    if (wanted === undefined || found === null || equalBytes(found, wanted)) return
    const wrong = { height, here: toHex(found), required: toHex(wanted) }
    this.#wrong.set(height, wrong)
    const fault = 'this chain has a different block than a required one: go back below it, or change the option'
    this.deps.log.error(fault, { ...wrong })
  }

  async #askFor(peer: Peer, number: bigint, hash: Uint8Array): Promise<void> {
    const query = { origin: number, amount: 1n, skip: 0n, reverse: false }
    const [entry] = await fetchHeaders(peer, query, ANSWER_MS)
    if (entry === undefined || (entry.header.number === number && equalBytes(entry.hash, hash))) return
    this.#drop(peer, `block ${number} is ${toHex(entry.hash)}, required is ${toHex(hash)}`, OTHER_CHAIN_BAN_MS)
  }

  #drop(peer: Peer, reason: string, banMs: number): void {
    this.deps.log.info('peer dropped: required block', { peer: peer.name.slice(0, 16), reason })
    if (banMs > 0) this.deps.bans.add(peer.name, reason, banMs)
    peer.disconnect(DISCONNECT.uselessPeer)
  }
}

/** The chain with other headers at a required height invalid: who answers the request rightly, then lies, fails too. */
export function withRequired(chain: P2pChain, required: RequiredBlocks): P2pChain {
  if (required.size === 0) return chain
  return {
    ...chain,
    async checkHeaders(headers) {
      for (const [at, header] of headers.entries()) {
        const reason = faultOf(header, required)
        if (reason === null) continue
        const before = at === 0 ? { good: 0, fault: null } : await chain.checkHeaders(headers.slice(0, at))
        return before.fault === null ? { good: at, fault: { kind: 'fault', reason } } : before
      }
      return chain.checkHeaders(headers)
    },
    async judgeHeader(header) {
      const reason = faultOf(header, required)
      return reason === null ? chain.judgeHeader(header) : { kind: 'fault', reason, parentTotal: 0n }
    },
  }
}

/** Null when it isn't at a required height. */
function faultOf(header: BlockHeader, required: RequiredBlocks): string | null {
  const wanted = required.get(header.number)
  if (wanted === undefined || equalBytes(blockHash(header), wanted)) return null
  return `block ${header.number} is not the required ${toHex(wanted)}`
}
