// What our node and the audit log know about a pending transaction, for the page's checks.

import type { Disposable } from '../../../base/disposable'
import { bytesOfHex, toHex } from '../../../base/hex'
import { looksLike } from '../../../base/language/lookalike'
import { Disposables } from '../../../base/lifecycle'
import { callerKey } from '../../../base/limits/caller-key'
import { type Clock, MINUTE_MS, within } from '../../../base/time'
import type { FactsView, TokenNameView } from '../../../contract/signer'
import type { NodeService } from '../../../node/node-service'
import type { TokenAmount } from '../../../signer/checks/payees'
import { RecipientHistory } from '../../../signer/checks/recipient-history'
import type { Caller, SignerRequest, TransactionDetails, TransactionEdits } from '../../../signer/model/request'
import type { DisplayEntry } from '../../../signer/model/signable'
import type { SignerService } from '../../../signer/signer-service'
import { tokenNames } from '../../adapters/token-names'
import { estimateTransaction, limited } from '../../adapters/transaction-simulation'

const ANSWER_MS = 5_000
const MAX_ARRIVALS = 1_000

interface RequestFactsDeps {
  readonly signer: SignerService
  /** Null without a node. */
  readonly node: NodeService | null
  readonly auditLog: string
  /** Watched addresses, any case. */
  readonly watched: () => readonly string[]
  readonly clock: Clock
}

interface Arrival {
  readonly key: string
  readonly at: number
}

export class RequestFacts {
  #history: Promise<RecipientHistory> | null = null
  /** By request, oldest first. */
  readonly #arrivals = new Map<string, Arrival>()

  constructor(private readonly deps: RequestFactsDeps) {}

  watch(): Disposable {
    const { signer, clock } = this.deps
    return new Disposables(
      signer.events.on('requestsChanged', (requests) => {
        for (const { id, caller, createdAt: at } of requests) {
          if (!this.#arrivals.has(id)) this.#arrivals.set(id, { key: callerKey(caller), at })
        }
        for (const id of this.#arrivals.keys()) {
          if (this.#arrivals.size <= MAX_ARRIVALS) break
          this.#arrivals.delete(id)
        }
      }),
      signer.events.on('requestSettled', (request) => {
        this.#history?.then((history) => history.settled(request, clock.now())).catch(() => undefined) // it is read again
      }),
    )
  }

  /** For typed data who its parties could be taken for, and its contracts without code. Null when there is no such request. */
  async of(id: string, edits: TransactionEdits | null, signal: AbortSignal): Promise<FactsView | null> {
    const request = this.deps.signer.requests().find((waiting) => waiting.id === id)
    const transaction = request?.transaction ?? null
    if (request === undefined) return null
    if (transaction === null) return this.#dataFacts(request)
    const { tokens = [], payees = [], parties = [], leftOut = 0 } = this.deps.signer.queue.asideOf(id)?.named ?? {}
    const [node, names, history] = await Promise.all([
      this.#nodeFacts(transaction, edits, signal).catch(() => null), // unknown, whatever the reason
      this.#names(tokens, signal),
      this.#soon(this.#recipients()),
    ])
    const { to } = transaction
    return {
      node,
      history: history === null || to === null ? null : { ...history.recordOf(to) },
      payees: history === null ? [] : payees.map((address) => ({ address, ...history.recordOf(address) })),
      lookalike: this.#lookalike(parties, history),
      unchecked: unchecked({
        history: history === null,
        node: this.#startedNode() !== null && node === null,
        addresses: leftOut > 0,
      }),
      callerPerMinute: this.#recent(request.caller),
      tokens: tokens.map(({ amount, ...token }) => ({ ...token, amount: amount.toString() })),
      names: [...names],
    }
  }

  async #dataFacts({ data, caller }: SignerRequest): Promise<FactsView | null> {
    if (data === null) return null
    const leaves = leavesOf(data.messages)
    const addresses = distinct(leaves.filter(({ type }) => type === 'address'))
    const contracts = distinct(leaves.filter(isContract))
    const [history, codeless] = await Promise.all([
      this.#soon(this.#recipients()),
      this.#codeless(contracts.slice(0, MAX_CONTRACTS)).catch(() => null), // unknown, whatever the reason
    ])
    const lookalike = this.#lookalike(addresses.slice(0, MAX_ADDRESSES), history)
    const isLong = addresses.length > MAX_ADDRESSES || contracts.length > MAX_CONTRACTS
    return {
      node: null,
      history: null,
      payees: [],
      lookalike,
      unchecked: unchecked({ history: history === null, node: codeless === null, addresses: isLong }),
      callerPerMinute: this.#recent(caller),
      tokens: [],
      names: [],
      codeless: [...(codeless ?? [])],
    }
  }

  /** Null without one, or before it has a head. */
  #startedNode(): NodeService | null {
    const { node } = this.deps
    return node === null || node.head() === null ? null : node
  }

  /** Those of the contracts where our node finds none; null when it can't tell. */
  async #codeless(contracts: readonly string[]): Promise<readonly string[] | null> {
    const node = this.#startedNode()
    if (contracts.length === 0) return []
    if (node === null) return null
    const codes = await Promise.all(contracts.map((address) => node.reader.code(bytesOfHex(address.toLowerCase()))))
    return contracts.filter((_address, index) => (codes[index]?.length ?? 0) === 0)
  }

  /** An own, watched or paid address that one of the parties could be taken for. */
  #lookalike(parties: readonly string[], history: RecipientHistory | null): string | null {
    const own = this.deps.signer.addresses()
    const named = [...own, ...this.deps.watched().map((address) => address.toLowerCase())]
    for (const party of parties.map((address) => address.toLowerCase())) {
      const found = named.find((known) => looksLike(party, known)) ?? history?.lookalikeOf(party) ?? null
      if (found !== null && !named.includes(party)) return found
    }
    return null
  }

  #recent(caller: Caller): number {
    const key = callerKey(caller)
    const since = this.deps.clock.now() - MINUTE_MS
    return [...this.#arrivals.values()].filter((arrival) => arrival.key === key && arrival.at >= since).length
  }

  /** The log is read once, then followed; a failed read is retried at the next request. */
  #recipients(): Promise<RecipientHistory | null> {
    const { auditLog } = this.deps
    if (auditLog === '') return Promise.resolve(null)
    this.#history ??= RecipientHistory.of(auditLog)
    this.#history.catch(() => {
      this.#history = null
    })
    return this.#history
  }

  /** Null when it fails, or isn't there yet: the first request after a start doesn't wait for a log of a million records. */
  async #soon<T>(answer: Promise<T>): Promise<T | null> {
    const isThere = await within(answer, ANSWER_MS, this.deps.clock).catch(() => false)
    return isThere ? answer : null
  }

  async #nodeFacts(
    transaction: TransactionDetails,
    edits: TransactionEdits | null,
    signal: AbortSignal,
  ): Promise<FactsView['node']> {
    const node = this.#startedNode()
    if (node === null) return null
    const { reader } = node
    const to = transaction.to === null ? null : bytesOfHex(transaction.to.toLowerCase())
    const [code, gasPrice, estimate, replaces] = await Promise.all([
      to === null ? null : reader.code(to),
      reader.gasPrice(),
      this.#estimate(node, transaction, signal),
      replaced(node, transaction, BigInt(edits?.nonce ?? transaction.nonce)),
    ])
    return { codeBytes: to === null ? null : (code?.length ?? 0), gasPrice: gasPrice.toString(), estimate, replaces }
  }

  async #estimate(node: NodeService, transaction: TransactionDetails, signal: AbortSignal): Promise<string | null> {
    const limit = limited(this.deps.clock, signal)
    try {
      return (await estimateTransaction(node, transaction, limit.signal)).toString()
    } catch {
      return null // it would fail: the simulation says why
    } finally {
      limit.dispose()
    }
  }

  async #names(tokens: readonly TokenAmount[], signal: AbortSignal): Promise<readonly TokenNameView[]> {
    const node = this.#startedNode()
    if (node === null || tokens.length === 0) return []
    const limit = limited(this.deps.clock, signal)
    const contracts = tokens.map(({ contract }) => contract)
    return tokenNames(node, contracts, limit.signal).finally(() => limit.dispose())
  }
}

const MAX_ADDRESSES = 256

const MAX_CONTRACTS = 8
const ADDRESS = /^0x[0-9a-f]{40}$/i
const NO_ADDRESS = /^0x0{40}$/

/** What a document takes for a contract: the one that it is for, and its tokens. Not the zero address: LAX itself in orders. */
function isContract({ name, value }: Leaf): boolean {
  return (name === 'verifyingContract' || name === 'token') && ADDRESS.test(value) && !NO_ADDRESS.test(value)
}

interface Leaf extends DisplayEntry {
  readonly value: string
}

function leavesOf(entries: readonly DisplayEntry[]): readonly Leaf[] {
  const found: Leaf[] = []
  const left = [...entries].reverse()
  for (let entry = left.pop(); entry !== undefined; entry = left.pop()) {
    const { name, type, value } = entry
    if (typeof value === 'string') found.push({ name, type, value })
    else left.push(...[...value].reverse())
  }
  return found
}

function distinct(leaves: readonly Leaf[]): readonly string[] {
  return [...new Set(leaves.map(({ value }) => value))]
}

function unchecked(what: Readonly<Record<FactsView['unchecked'][number], boolean>>): FactsView['unchecked'] {
  return (['history', 'node', 'addresses'] as const).filter((each) => what[each])
}

async function replaced({ reader }: NodeService, { from }: TransactionDetails, nonce: bigint) {
  const contents = await reader.poolContent(bytesOfHex(from.toLowerCase()))
  const waiting = contents.flatMap(({ pending, queued }) => [...pending, ...queued])
  const found = waiting.find((transaction) => transaction.nonce === nonce)
  if (found === undefined) return null
  return { hash: toHex(found.hash), to: found.to === null ? null : toHex(found.to), value: found.value.toString() }
}
