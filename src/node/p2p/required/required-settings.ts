// The required blocks from the settings: individually named ones, and those of a checkpoint file.
import { readFile, stat } from 'node:fs/promises'
import { z } from 'zod'
import { equalBytes } from '../../../base/bytes'
import { messageOf } from '../../../base/errors'
import { bytesOfHex, fromHex, toHex } from '../../../base/hex'
import { fail, ok, type Result } from '../../codec/result'
import { P2pError } from '../../errors'
import { personalHash, recoverAddress } from '../../model/sender'
import type { RequiredBlocks } from './required-blocks'

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

interface Checkpoint {
  /** 32 bytes */
  readonly genesis: Uint8Array
  readonly blocks: RequiredBlocks
}

/** The text to sign as wallets and `personal_sign` do (EIP-191), so that its signer can read it. @param genesis 32 bytes */
export function checkpointText(genesis: Uint8Array, blocks: RequiredBlocks): string {
  const lines = [...blocks].map(([number, hash]) => `${number} ${toHex(hash)}`)
  return ['Parallax checkpoint', `genesis ${toHex(genesis)}`, ...lines].join('\n')
}

/** @param text of the file @param signer address of the required signing key, 20 bytes */
export function readCheckpoint(text: string, signer: Uint8Array): Result<Checkpoint> {
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
