// The genesis block from a genesis file: its state, its header, and the chain's rules in its config. Source: prlx
// core/genesis.go, params/config.go; vectors chain/genesis.json

import { z } from 'zod'
import { bigintFromBytes, bytesFromBigint, compareBytes, EMPTY_BYTES, minimalBytes } from '../../base/bytes'
import { messageOf } from '../../base/errors'
import { bytesOfHex, fromHex, toHex } from '../../base/hex'
import { keccak256 } from '../codec/keccak'
import { fail, ok, type Result } from '../codec/result'
import { encodeRlp } from '../codec/rlp'
import { encodeAccount } from '../execution/account'
import type { FlatChange, StateChanges } from '../execution/state-changes'
import { type Block, createBlock } from '../model/block'
import { BLOOM_BYTES } from '../model/bloom'
import { stateKeys } from '../store/keys'
import { packNodes } from '../store/node-list'
import { EMPTY_TRIE_ROOT, Trie } from '../trie/trie'

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

type Allocation = z.output<typeof allocEntry>
type GenesisFile = z.output<typeof genesisSchema>

export function parseGenesis(text: string): Result<GenesisFile> {
  try {
    const parsed = genesisSchema.safeParse(JSON.parse(text))
    if (parsed.success) return ok(parsed.data)
    return fail(messageOf(parsed.error))
  } catch (error: unknown) {
    return fail(error instanceof SyntaxError ? `not JSON: ${error.message}` : String(error))
  }
}

export async function createGenesis(
  file: GenesisFile,
): Promise<{ readonly block: Block; readonly changes: StateChanges; readonly file: GenesisFile }> {
  const changes = genesisState(file)
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

/** On nothing: every account and slot is new. Keys that spell the same account or slot are one, the last of them counts. */
function genesisState(file: GenesisFile): StateChanges {
  const flat: FlatChange[] = []
  const nodes: (readonly [Uint8Array, Uint8Array])[] = []
  const codes = new Map<string, readonly [Uint8Array, Uint8Array]>()
  const deps = { read: () => undefined, keccak256 }
  const accounts = new Trie(EMPTY_TRIE_ROOT, deps)
  for (const { address, entry, slots } of allocated(file)) {
    const storage = new Trie(EMPTY_TRIE_ROOT, deps)
    for (const [name, value] of slots) {
      const slot = bytesOfHex(name)
      storage.put(keccak256(slot), encodeRlp(value))
      flat.push({ key: stateKeys.slot(address, slot, 0), before: null, after: value })
    }
    const { root: storageRoot, nodes: stored } = storage.commit()
    for (const node of stored) nodes.push(node)
    const code = entry.code ?? EMPTY_BYTES
    const codeHash = keccak256(code)
    if (code.length > 0) codes.set(toHex(codeHash), [codeHash, code])
    const after = encodeAccount({ nonce: entry.nonce ?? 0n, balance: entry.balance, storageRoot, codeHash })
    accounts.put(keccak256(address), after)
    flat.push({ key: stateKeys.account(address), before: null, after })
  }
  const { root: stateRoot, nodes: kept } = accounts.commit()
  for (const node of kept) nodes.push(node)
  flat.sort((one, other) => compareBytes(one.key, other.key))
  return { stateRoot, flat, ...packNodes(nodes, []), codes: [...codes.values()] }
}

/** By address. */
function allocated(file: GenesisFile) {
  const found = new Map<string, { address: Uint8Array; entry: Allocation; slots: Map<string, Uint8Array> }>()
  for (const [text, entry] of Object.entries(file.alloc)) {
    const address = bytesOfHex(text, 20)
    const slots = found.get(toHex(address))?.slots ?? new Map<string, Uint8Array>()
    for (const [slot, word] of Object.entries(entry.storage ?? {})) {
      const name = toHex(bytesFromBigint(BigInt(slot), 32))
      const value = minimalBytes(bigintFromBytes(word))
      if (value.length === 0) slots.delete(name)
      else slots.set(name, value)
    }
    found.set(toHex(address), { address, entry, slots })
  }
  return [...found.values()].sort((one, other) => compareBytes(one.address, other.address))
}
