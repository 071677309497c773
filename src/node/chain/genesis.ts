// The genesis block from a genesis file: its state, its header, and the chain's rules in its config. Source: prlx
// core/genesis.go, params/config.go; vectors chain/genesis.json
import { z } from 'zod'
import { bytesFromBigint } from '../../base/bytes'
import { bytesOfHex, fromHex } from '../../base/hex'
import { keccak256 } from '../codec/keccak'
import { fail, ok, type Result } from '../codec/result'
import { EMPTY_ACCOUNT } from '../execution/account'
import type { StateChanges } from '../execution/state-changes'
import { StateOverlay } from '../execution/state-overlay'
import { type Block, createBlock } from '../model/block'
import { BLOOM_BYTES } from '../model/bloom'
import { MemoryStore } from '../store/store'
import { EMPTY_TRIE_ROOT } from '../trie/trie'

const integer = z
  .union([z.string().regex(/^(0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/), z.number().int().min(0)])
  .transform((value) => BigInt(value))
const optionalInteger = integer.nullish().transform((value) => value ?? null)
const hexOf = (bytes: number) =>
  z
    .string()
    .regex(new RegExp(`^(0x)?[0-9a-fA-F]{${2 * bytes}}$`))
    .transform((text) => bytesOfHex(text, bytes))
const hexData = z
  .string()
  .refine((text) => fromHex(text) !== null, 'not hex bytes')
  .transform((text) => bytesOfHex(text))
const paddedHex = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/)
  .transform((text) => bytesFromBigint(BigInt(text), 32))

const allocEntry = z.object({
  balance: integer,
  nonce: optionalInteger,
  code: hexData.nullish(),
  storage: z.record(z.string().regex(/^0x[0-9a-fA-F]{1,64}$/), paddedHex).nullish(),
})

const genesisSchema = z.object({
  config: z.object({
    chainId: integer,
    xhash: z
      .object({
        coinbaseMaturityBlocks: z.number().int().min(0).default(0),
        retargetIntervalBlocks: z.number().int().min(0).default(0),
        /** Misnamed in the format: the height at which the rule starts to apply, one above the anchor. */
        asertAnchorHeight: z.number().int().min(0).optional(),
      })
      .optional(),
  }),
  nonce: optionalInteger,
  timestamp: optionalInteger,
  epochStartTime: optionalInteger,
  extraData: hexData.nullish(),
  gasLimit: integer,
  difficulty: integer,
  mixHash: hexOf(32).nullish(),
  coinbase: hexOf(20).nullish(),
  alloc: z.record(z.string().regex(/^(0x)?[0-9a-fA-F]{40}$/), allocEntry),
  baseFeePerGas: optionalInteger,
})

/** A validated genesis file. */
type GenesisFile = z.output<typeof genesisSchema>

/** The genesis block, its state and the chain's rules. */
interface Genesis {
  readonly block: Block
  readonly changes: StateChanges
  readonly file: GenesisFile
}

/** Parses the text of a genesis file. */
export function parseGenesis(text: string): Result<GenesisFile> {
  try {
    const parsed = genesisSchema.safeParse(JSON.parse(text))
    if (parsed.success) return ok(parsed.data)
    const issue = parsed.error.issues[0]
    return fail(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'invalid'}`)
  } catch (error: unknown) {
    return fail(error instanceof SyntaxError ? `not JSON: ${error.message}` : String(error))
  }
}

/** The genesis block and its state. */
export async function createGenesis(file: GenesisFile): Promise<Genesis> {
  const changes = await genesisState(file)
  const header = {
    parentHash: new Uint8Array(32),
    coinbase: file.coinbase ?? new Uint8Array(20),
    stateRoot: changes.stateRoot,
    txRoot: EMPTY_TRIE_ROOT,
    receiptRoot: EMPTY_TRIE_ROOT,
    logsBloom: new Uint8Array(BLOOM_BYTES),
    difficulty: file.difficulty,
    number: 0n,
    gasLimit: file.gasLimit,
    gasUsed: 0n,
    timestamp: file.timestamp ?? 0n,
    epochStartTime: file.epochStartTime ?? 0n,
    extraData: file.extraData ?? new Uint8Array(0),
    mixHash: file.mixHash ?? new Uint8Array(32),
    nonce: file.nonce ?? 0n,
    ...(file.baseFeePerGas === null ? {} : { baseFeePerGas: file.baseFeePerGas }),
  }
  return { block: createBlock(header, []), changes, file }
}

async function genesisState(file: GenesisFile): Promise<StateChanges> {
  const overlay = new StateOverlay(new MemoryStore(), { keccak256 })
  for (const [text, entry] of Object.entries(file.alloc)) {
    const address = bytesOfHex(text, 20)
    overlay.setAccount(address, { ...EMPTY_ACCOUNT, balance: entry.balance, nonce: entry.nonce ?? 0n })
    if (entry.code !== null && entry.code !== undefined) overlay.setCode(address, entry.code)
    for (const [slot, value] of Object.entries(entry.storage ?? {}))
      overlay.setSlot(address, bytesFromBigint(BigInt(slot), 32), value)
  }
  return overlay.finish(EMPTY_TRIE_ROOT)
}
