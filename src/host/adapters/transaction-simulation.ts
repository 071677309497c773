// Asks our node what a transaction would change, and others with a signature. Read-only: nothing is sent or stored.
import { z } from 'zod'
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import { bytesOfHex } from '../../base/hex'
import { Disposables } from '../../base/lifecycle'
import { onAbort } from '../../base/on-abort'
import type { Clock } from '../../base/time'
import { type SimulationView, simulationSchema } from '../../contract/signer-tools'
import type { NodeService } from '../../node/node-service'
import type { CallArguments, ChangesRequest } from '../../node/query/query-wire'
import type { RequestAside } from '../../signer/checks/payees'
import type { SignatureUse } from '../../signer/checks/signature-use'
import type { SignerRequest, TransactionDetails, TransactionEdits } from '../../signer/model/request'
import type { RequestPreview } from '../../signer/ports'

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/)
  .transform(BigInt)

/** Whose holdings are compared, and what may be a token or may take something; `0x` hex. */
interface Interests {
  readonly accounts: readonly string[]
  readonly parties: readonly string[]
}

/** Questions about more accounts aren't asked. */
const MAX_ACCOUNTS = 32
const MAX_PARTIES = 32

/** @throws what the query layer throws: CHAIN_NOT_OPEN, RPC_FAILED (a limit), the signal's reason */
function simulateTransaction(
  node: NodeService,
  asked: { readonly transaction: TransactionDetails; readonly edits: TransactionEdits | null } & Interests,
  signal: AbortSignal,
): Promise<SimulationView> {
  const { transaction, edits, parties } = asked
  const accounts = [transaction.from, ...asked.accounts]
  const calls = [{ call: callOf(transaction, edits) }]
  const nothing = { numbers: [], digest: null, slots: [], funded: null }
  return simulated(node, { kind: 'simulate', calls, ...addressesOf({ accounts, parties }), ...nothing }, signal)
}

/** What others would do with a signature, before it is made. @throws as `simulateTransaction` */
async function simulateUse(
  node: NodeService,
  asked: { readonly use: SignatureUse; readonly signer: string } & Interests,
  signal: AbortSignal,
): Promise<SimulationView> {
  const { use, signer } = asked
  const accounts = [signer, ...use.wallets, ...asked.accounts]
  const parties = [...use.parties, ...asked.parties]
  const request: ChangesRequest = {
    kind: 'simulate',
    ...addressesOf({ accounts, parties }),
    calls: use.calls.map(({ most, ...call }) => ({
      call: { ...plainCall(call), from: bytesOfHex(call.from) },
      ...(most === undefined
        ? {}
        : { most: { token: bytesOfHex(most.token), owner: bytesOfHex(most.owner), at: most.at } }),
    })),
    numbers: use.numbers.map(({ contract, number }) => ({ contract: bytesOfHex(contract), number: BigInt(number) })),
    digest: bytesOfHex(use.digest),
    slots: use.slots.map(({ address, slot, value }) => ({
      address: bytesOfHex(address),
      slot: bytesOfHex(slot),
      value: bytesOfHex(value),
    })),
    funded:
      use.funded === null
        ? null
        : {
            account: bytesOfHex(use.funded.account),
            tokens: use.funded.tokens.map((token) => bytesOfHex(token)),
            spender: bytesOfHex(use.funded.spender),
          },
  }
  const found = await simulated(node, request, signal)
  // Whoever would fill it is nobody in particular.
  const balances = found.balances.filter(({ address }) => address.toLowerCase() !== use.funded?.account)
  return { ...found, balances, use: use.kind }
}

async function simulated(node: NodeService, request: ChangesRequest, signal: AbortSignal): Promise<SimulationView> {
  return simulationSchema.parse(JSON.parse(await node.queries().ask(request, { signal })))
}

function addressesOf({ accounts, parties }: Interests): Pick<ChangesRequest, 'accounts' | 'parties'> {
  const bytes = (all: readonly string[], most: number): Uint8Array[] =>
    [...new Set(all.map((address) => address.toLowerCase()))].slice(0, most).map((address) => bytesOfHex(address))
  return { accounts: bytes(accounts, MAX_ACCOUNTS), parties: bytes(parties, MAX_PARTIES) }
}

/** A pending request, and what the checks found besides. */
interface RequestToSimulate {
  readonly request: Pick<SignerRequest, 'transaction' | 'data'>
  readonly aside: RequestAside | null
  readonly edits: TransactionEdits | null
  /** The user's. */
  readonly accounts: readonly string[]
}

/** What a request would change, or why that can't be tried. @throws as `simulateTransaction` */
export async function simulateRequest(
  node: NodeService,
  { request, aside, edits, accounts }: RequestToSimulate,
  signal: AbortSignal,
): Promise<SimulationView | 'request' | 'use'> {
  const { transaction, data } = request
  if (transaction !== null) {
    const parties = aside?.named?.parties ?? []
    return simulateTransaction(node, { transaction, edits, accounts, parties }, signal)
  }
  const use = aside?.use ?? null
  if (data === null) return 'request'
  return use === null ? 'use' : simulateUse(node, { use, signer: data.address, accounts, parties: [] }, signal)
}

/** For the program on the standard streams. @param node null when this run has none; looked up per request */
export function requestPreview(
  node: () => NodeService | null,
  accounts: () => readonly string[],
  clock: Clock,
): RequestPreview {
  return async (request, aside, signal) => {
    const running = node()
    if (running === null || running.head() === null) return null
    const limit = limited(clock, signal)
    try {
      const found = await simulateRequest(running, { request, aside, edits: null, accounts: accounts() }, limit.signal)
      return typeof found === 'string' ? { lack: found } : found
    } catch (error) {
      return { lack: 'failed', reason: messageOf(error) }
    } finally {
      limit.dispose()
    }
  }
}

const MAX_SIMULATION_MS = 5_000

/** Aborts with `signal`, and after the maximum time of a simulation. */
export function limited(clock: Clock, signal: AbortSignal): Disposable & { readonly signal: AbortSignal } {
  const own = new AbortController()
  const held = new Disposables(
    clock.setTimeout(() => own.abort(new Error('the simulation took too long')), MAX_SIMULATION_MS),
    onAbort(signal, () => own.abort(signal.reason)),
  )
  return { signal: own.signal, dispose: () => held.dispose() }
}

/** A transaction to simulate. */
export interface DraftInput {
  readonly from: string
  readonly to: string
  /** Decimal wei. */
  readonly value: string
  readonly data: string
}

/** `to` null: a creation. */
type CallInput = Omit<DraftInput, 'to'> & { readonly to: string | null }

/** Gas that a transaction needs, and why it would fail, if so. */
export async function estimateTransaction(node: NodeService, input: CallInput, signal: AbortSignal): Promise<bigint> {
  const call = { ...plainCall(input), gas: null, gasPrice: null }
  return quantity.parse(
    JSON.parse(await node.queries().ask({ kind: 'estimate', at: { kind: 'tag', tag: 'latest' }, call }, { signal })),
  )
}

/** Simulation and signature use the same numbers: the edited ones, if any. */
function callOf(tx: TransactionDetails, edits: TransactionEdits | null): CallArguments {
  const price = edits?.maxFeePerGas ?? tx.maxFeePerGas ?? edits?.gasPrice ?? tx.gasPrice
  return {
    ...plainCall(tx),
    gas: BigInt(edits?.gas ?? tx.gas),
    gasPrice: BigInt(price ?? 0),
    nonce: BigInt(edits?.nonce ?? tx.nonce),
    accessList:
      tx.accessList?.map(({ address, storageKeys }) => ({
        address: bytesOfHex(address),
        storageKeys: storageKeys.map(bytesOfHex),
      })) ?? null,
  }
}

function plainCall({ from, to, value, data }: CallInput): CallArguments {
  return {
    from: bytesOfHex(from.toLowerCase()),
    to: to === null ? null : bytesOfHex(to.toLowerCase()),
    gas: null,
    gasPrice: null,
    feeCap: null,
    tip: null,
    value: BigInt(value),
    nonce: null,
    data: bytesOfHex(data),
    accessList: null,
  }
}
