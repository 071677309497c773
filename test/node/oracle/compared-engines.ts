// Runs every block on two engines, whose results must be equal to the last byte.
import { bytesFromBigint, bytesName, EMPTY_BYTES, equalBytes } from '../../../src/base/bytes'
import { toHex } from '../../../src/base/hex'
import type { Result } from '../../../src/node/codec/result'
import type {
  BuiltBlock,
  CandidateQueue,
  ExecutedBlock,
  ExecutionContext,
  ExecutionEngine,
} from '../../../src/node/execution/engine'
import { encodeStoredReceipts } from '../../../src/node/model/receipt'
import type { AnyTransaction } from '../../../src/node/model/transaction'
import type { StoreReader } from '../../../src/node/store/store'

/**
 * A block on which two engines differ, with everything that was read, so that it can be executed again anywhere. JSON.
 */
interface EngineDifference {
  readonly what: string
  readonly engines: readonly [string, string]
  readonly header: Readonly<Record<string, string>>
  readonly parentRoot: string
  readonly transactions: readonly string[]
  /** Database keys and values, hexadecimal; null where there was none. */
  readonly reads: Readonly<Record<string, string | null>>
  /** Hashes of ancestors by their number. */
  readonly ancestors: Readonly<Record<string, string>>
  /** Summary of each engine's result. */
  readonly results: readonly [string, string]
}

/** Throws at the first difference, after the report. */
export class ComparedEngines implements ExecutionEngine {
  readonly kind = 'both'

  /** @param report gets what is needed to investigate a difference, before it is thrown */
  constructor(
    private readonly engines: readonly [ExecutionEngine, ExecutionEngine],
    private readonly report: (difference: EngineDifference) => void,
  ) {}

  /** @returns the first engine's result. @throws Error where they differ */
  async executeBlock(
    context: ExecutionContext,
    transactions: readonly AnyTransaction[],
  ): Promise<Result<ExecutedBlock>> {
    const [one, other] = this.engines
    const record = recorded(context)
    const first = await one.executeBlock(record.context, transactions)
    const second = await other.executeBlock(record.context, transactions)
    const what = differenceOf(first, second)
    if (what === null) return first
    const { header, parentRoot } = context
    this.report({
      what,
      engines: [one.kind, other.kind],
      header: {
        number: String(header.number),
        timestamp: String(header.timestamp),
        coinbase: toHex(header.coinbase),
        difficulty: String(header.difficulty),
        gasLimit: String(header.gasLimit),
      },
      parentRoot: toHex(parentRoot),
      transactions: transactions.map(({ raw }) => toHex(raw)),
      reads: Object.fromEntries(record.reads()),
      ancestors: Object.fromEntries(record.ancestors),
      results: [shortOf(first), shortOf(second)],
    })
    throw new Error(`the engines differ on block ${header.number}: ${what}`)
  }

  /** Templates are built by the first engine; both execute the resulting block. */
  buildBlock(context: ExecutionContext, candidates: CandidateQueue): Promise<BuiltBlock> {
    return this.engines[0].buildBlock(context, candidates)
  }
}

/** The name of the first part that differs; null when the results are equal. */
export function differenceOf(one: Result<ExecutedBlock>, other: Result<ExecutedBlock>): string | null {
  if (!one.ok || !other.ok)
    return one.ok === other.ok && !one.ok && !other.ok && one.error === other.error ? null : 'verdict'
  for (const name of PARTS.keys()) {
    const part = PARTS.get(name)
    if (part !== undefined && !equalLists(part(one.value), part(other.value))) return name
  }
  return null
}

const ABSENT = Uint8Array.of(0)
const present = (value: Uint8Array | null): readonly Uint8Array[] =>
  value === null ? [ABSENT, EMPTY_BYTES] : [EMPTY_BYTES, value]

/** Everything written or checked, as lists of bytes. */
const PARTS: ReadonlyMap<string, (block: ExecutedBlock) => readonly Uint8Array[]> = new Map([
  ['gas used', (block: ExecutedBlock) => [bytesFromBigint(block.gasUsed, 8)]],
  ['receipts', (block: ExecutedBlock) => [encodeStoredReceipts(block.receipts)]],
  ['logs bloom', (block: ExecutedBlock) => [block.logsBloom]],
  ['receipt root', (block: ExecutedBlock) => [block.receiptRoot]],
  [
    'flat changes',
    ({ changes }: ExecutedBlock) =>
      changes.flat.flatMap(({ key, before, after }) => [key, ...present(before), ...present(after)]),
  ],
  ['codes', ({ changes }: ExecutedBlock) => changes.codes.flat()],
  ['trie nodes', ({ changes }: ExecutedBlock) => [changes.nodes]],
  ['replaced trie nodes', ({ changes }: ExecutedBlock) => [changes.dead]],
  ['state root', ({ changes }: ExecutedBlock) => [changes.stateRoot]],
])

function equalLists(one: readonly Uint8Array[], other: readonly Uint8Array[]): boolean {
  return one.length === other.length && one.every((bytes, index) => equalBytes(bytes, other[index] ?? EMPTY_BYTES))
}

function shortOf(result: Result<ExecutedBlock>): string {
  if (!result.ok) return result.error
  const { gasUsed, receiptRoot, changes } = result.value
  return `gas ${gasUsed}, receipt root ${toHex(receiptRoot)}, state root ${toHex(changes.stateRoot)}`
}

/** `context`, and a record of what was read from it. */
function recorded(context: ExecutionContext) {
  const ancestors = new Map<string, string>()
  const seen = new Map<string, { readonly key: Uint8Array; readonly value: Uint8Array | undefined }>()
  const state: StoreReader = {
    get: (key) => {
      const name = bytesName(key)
      const known = seen.get(name)
      if (known !== undefined) return known.value
      const value = context.state.get(key)
      seen.set(name, { key, value })
      return value
    },
    getStored: (key) => context.state.getStored(key),
    keysWithPrefix: (prefix) => context.state.keysWithPrefix(prefix),
  }
  const ancestorHash = (number: bigint): Uint8Array | null => {
    const hash = context.ancestorHash(number)
    if (hash !== null) ancestors.set(String(number), toHex(hash))
    return hash
  }
  const reads = () =>
    [...seen.values()].map(({ key, value }) => [toHex(key), value === undefined ? null : toHex(value)])
  return { context: { ...context, state, ancestorHash }, reads, ancestors }
}
