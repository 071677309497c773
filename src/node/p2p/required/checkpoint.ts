// A signed checkpoint list: someone the operator trusts names blocks of the right chain. Like the operator's own list,
// it can only reject peers and headers. It makes no block valid, selects no head, and skips no check.
import { z } from 'zod'
import { equalBytes } from '../../../base/bytes'
import { bytesOfHex, fromHex, toHex } from '../../../base/hex'
import { fail, ok, type Result } from '../../codec/result'
import { personalHash } from '../../model/personal-message'
import { recoverAddress } from '../../model/sender'
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

/** A parsed and verified checkpoint file. */
export interface Checkpoint {
  /** 32 bytes */
  readonly genesis: Uint8Array
  readonly blocks: RequiredBlocks
}

/**
 * The signed text, in the form that `personal_sign` and wallets use (EIP-191), so that its signer can read it.
 * @param genesis 32 bytes
 */
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
  if (read.success) return ok(read.data)
  const [issue] = read.error.issues
  return fail(`${issue?.path.join('.') || 'file'}: ${issue?.message ?? 'not a checkpoint'}`)
}

function signerOf(text: string, signature: string): Uint8Array | null {
  const bytes = fromHex(signature)
  const parity = (bytes?.[64] ?? 0) - 27
  if (bytes === null || (parity !== 0 && parity !== 1)) return null
  const hash = personalHash(new TextEncoder().encode(text))
  return recoverAddress({ hash, signature: bytes.subarray(0, 64), recoveryId: parity })
}
