// The required blocks from the settings: individually named ones, and those of a checkpoint file.
import { readFile, stat } from 'node:fs/promises'
import { equalBytes } from '../../../base/bytes'
import { messageOf } from '../../../base/errors'
import { toHex } from '../../../base/hex'
import { P2pError } from '../../errors'
import { type Checkpoint, readCheckpoint } from './checkpoint'
import type { RequiredBlocks } from './required-blocks'

/** What the operator configured. */
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
  const { genesis, blocks } = await checkpointOf(file, signer, refuse)
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

async function checkpointOf(file: string, signer: Uint8Array, refuse: (reason: string) => Error): Promise<Checkpoint> {
  let text: string
  try {
    const { size } = await stat(file)
    if (size > MAX_FILE_BYTES) throw new RangeError(`${size} bytes, want at most ${MAX_FILE_BYTES}`)
    text = await readFile(file, 'utf8')
  } catch (error: unknown) {
    throw refuse(messageOf(error))
  }
  const read = readCheckpoint(text, signer)
  if (!read.ok) throw refuse(read.error)
  return read.value
}
