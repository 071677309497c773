// The node for the UI: head, blocks, and the balances of the keystore's accounts at that head.
import { bytesOfHex, toHex } from '../../../base/hex'
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import type { ListenerView } from '../../../contract/explorer'
import { type BalancesView, BLOCK_PAGE, type NodeHeadView } from '../../../contract/node'
import type { ConsensusParams } from '../../../node/consensus/params'
import type { NodeService } from '../../../node/node-service'
import type { SignerService } from '../../../signer/signer-service'
import { HostError } from '../../errors'
import type { ChainDatabase } from '../../node/chain-database'
import type { AccountNotes } from '../../signer/account-notes'
import type { SupervisedService } from '../../system/supervised-service'
import { topic, type UiHandlers } from '../ui-handlers'
import {
  balanceView,
  blockRow,
  blockView,
  explorerCalls,
  ReorgRing,
  TraceJobs,
  transactionRow,
} from './explorer-handlers'
import { networkCalls, networkTopics } from './network-handlers'
import { nodeControl } from './node-control-handlers'

interface NodeHandlersDeps {
  /** Null when this run has no node. */
  readonly node: NodeService | null
  /** The node's state; null without a node. */
  readonly supervised: SupervisedService | null
  /** The node's; missing or null in a run without one. */
  readonly database?: Pick<ChainDatabase, 'care'> | null
  /** Whose balances are shown; null when this run has no signer. */
  readonly signer: SignerService | null
  /** More addresses whose balances are shown; missing or null = none. */
  readonly watched?: Pick<AccountNotes, 'watched' | 'events'> | null
  readonly consensus: ConsensusParams
  /** Evaluated per call, since ports are known only after start. */
  readonly listeners: () => ListenerView[]
  readonly clock: Clock
}

export function nodeHandlers(deps: NodeHandlersDeps): UiHandlers<'node'> {
  const { node, supervised, signer } = deps
  const reader = (): NodeService['reader'] => {
    if (node === null) throw new HostError('HOST_SERVICE_OFF', { service: 'node' })
    return node.reader
  }
  const desk = nodeControl(deps)
  const shared = { reorgs: new ReorgRing(deps.clock), traces: new TraceJobs() }
  return {
    calls: (access) => ({
      ...networkCalls(deps),
      ...desk.calls(access),
      ...explorerCalls(deps, shared),
      'node.blocks': async ({ from, count }) => ({ blocks: (await reader().blocksDown(from, count)).map(blockRow) }),
      'node.block': async ({ id, from = 0 }) => {
        const block = await reader().header(typeof id === 'number' ? id : bytesOfHex(id))
        if (block === null) return { block: null }
        const { hash } = block
        const [transactions, fees] = [reader().transactions(hash, from, BLOCK_PAGE), reader().fees(hash)]
        return { block: blockView(block, { transactions: await transactions, fees: await fees }) }
      },
      'node.transaction': async ({ hash }) => {
        const transaction = await reader().transaction(bytesOfHex(hash))
        return { transaction: transaction === null ? null : transactionRow(transaction) }
      },
    }),
    topics: [
      ...networkTopics(deps),
      ...desk.topics,
      topic('node.head', {
        read: () => headView(deps),
        watch: (changed) =>
          new Disposables(
            supervised?.events.on('stateChanged', changed),
            node?.events.on('headChanged', changed),
            node?.events.on('headChanged', (change) => shared.reorgs.take(change)),
            node?.events.on('pendingChanged', changed),
            node?.events.on('peersChanged', changed),
          ),
      }),
      topic('node.balances', {
        read: () => balances(deps),
        watch: (changed) =>
          new Disposables(
            node?.events.on('headChanged', changed),
            signer?.events.on('accountsChanged', changed),
            deps.watched?.events.on('changed', changed),
          ),
      }),
    ],
  }
}

async function headView({ node, supervised, consensus, clock }: NodeHandlersDeps): Promise<NodeHeadView> {
  const service = supervised?.view().state ?? 'off'
  const head = node?.head() ?? null
  const isRunning = service === 'running' && node !== null && head !== null
  const nextDifficulty = isRunning ? await node.reader.nextDifficulty() : null
  const { pending, queued } = node?.counts() ?? { pending: null, queued: null }
  const coinbase = node?.coinbase() ?? null
  return {
    state: service === 'off' ? 'stopped' : service,
    head: head === null ? null : blockRow(head),
    totalDifficulty: head === null ? null : head.totalDifficulty.toString(),
    peers: node?.network()?.peers().length ?? null,
    pending,
    queued,
    targetSpacingSeconds: consensus.targetSpacingSeconds,
    nextDifficulty: nextDifficulty === null ? null : nextDifficulty.toString(),
    coinbase: coinbase === null ? null : toHex(coinbase),
    maturityBlocks: consensus.coinbaseMaturityBlocks,
    takenAt: clock.now(),
  }
}

/** All accounts at one head. Before the first block is known nothing is reported. */
async function balances({ node, signer, watched, clock }: NodeHandlersDeps): Promise<BalancesView> {
  const head = node?.head() ?? null
  if (node === null || signer === null || head === null) return { asOf: null, accounts: [], takenAt: clock.now() }
  const own = signer.accounts().accounts.map(({ address }) => address)
  const addresses = [...new Set([...own, ...(watched?.watched() ?? [])])]
  const found = await Promise.all(
    addresses.map(async (address) => {
      const account = await node.reader.account(bytesOfHex(address), head.hash)
      return account === null ? [] : [balanceView(address, account)]
    }),
  )
  return { asOf: head.number, accounts: found.flat(), takenAt: clock.now() }
}
