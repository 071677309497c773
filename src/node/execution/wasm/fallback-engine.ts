// The WebAssembly engine backed by the TypeScript one: a broken module decides no block, and a block is refused only
// when both engines refuse it.
import { bytesFromBigint, EMPTY_BYTES, equalBytes } from '../../../base/bytes'
import { hasCode, messageOf } from '../../../base/errors'
import type { Result } from '../../codec/result'
import { ExecutionError } from '../../errors'
import { encodeStoredReceipts } from '../../model/receipt'
import type { AnyTransaction } from '../../model/transaction'
import type { BuiltBlock, CandidateQueue, ExecutedBlock, ExecutionContext, ExecutionEngine } from '../engine'

/**
 * A trap of the module passes the block to the second engine. A refusal counts only when both refuse alike; else
 * ENGINES_DIFFER.
 */
export class FallbackEngine implements ExecutionEngine {
  readonly kind: string

  /** @param warn called with the reason when a block is left to the second engine */
  constructor(
    private readonly first: ExecutionEngine,
    private readonly second: ExecutionEngine,
    private readonly warn: (reason: string) => void,
  ) {
    this.kind = first.kind
  }

  /** @throws ExecutionError ENGINES_DIFFER: neither result counts then */
  async executeBlock(
    context: ExecutionContext,
    transactions: readonly AnyTransaction[],
  ): Promise<Result<ExecutedBlock>> {
    const first = await this.#tried(() => this.first.executeBlock(context, transactions))
    if (first === null) return this.second.executeBlock(context, transactions)
    if (first.ok && isExpected(first.value, context.expected)) return first
    const second = await this.second.executeBlock(context, transactions)
    const what = differenceOf(first, second)
    if (what === null) return second
    throw new ExecutionError('ENGINES_DIFFER', { number: String(context.header.number), what })
  }

  /** A template may lack the candidates tried when the first engine broke; the next one includes them. */
  async buildBlock(context: ExecutionContext, candidates: CandidateQueue): Promise<BuiltBlock> {
    const first = await this.#tried(() => this.first.buildBlock(context, candidates))
    return first ?? this.second.buildBlock(context, candidates)
  }

  /** Null when the engine itself failed. A failed read says nothing about the block and is rethrown. */
  async #tried<T>(body: () => Promise<T>): Promise<T | null> {
    try {
      return await body()
    } catch (error: unknown) {
      const isOfEngine =
        hasCode(error, 'ENGINE_TRAPPED') || hasCode(error, 'ENGINE_LIMIT') || hasCode(error, 'ENGINE_FAULT')
      if (!isOfEngine) throw error
      this.warn(messageOf(error))
      return null
    }
  }
}

function isExpected(block: ExecutedBlock, expected: ExecutionContext['expected']): boolean {
  if (expected === undefined) return true
  return (
    block.gasUsed === expected.gasUsed &&
    equalBytes(block.receiptRoot, expected.receiptRoot) &&
    equalBytes(block.changes.stateRoot, expected.stateRoot) &&
    equalBytes(block.logsBloom, expected.logsBloom)
  )
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
