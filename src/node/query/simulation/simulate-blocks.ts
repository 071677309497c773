// eth_simulateV1: blocks of calls on a state, each seeing what the previous ones left. Nothing is stored. Source: the
// execution API (eth_simulateV1) as go-ethereum documents it, in the form of a chain without a base fee
import { toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import type { WorldLog } from '../../execution/tracer'
import { addressBytes, bytesOfWord } from '../../execution/word'
import type { World } from '../../execution/world'
import { bloomOf } from '../../model/bloom'
import type { BlockHeader } from '../../model/header'
import { encodeReceipt } from '../../model/receipt'
import { orderedRoot } from '../../trie/ordered-root'
import { failed, type StateBlock } from '../block-state'
import type { SimulateRequest } from '../query-wire'
import { WorldTries } from '../reads/world-tries'
import { applyOverrides, movedBuiltIns } from '../run-call'
import type { QueryLimits, QuerySession } from '../session'
import { refusedAs, SIMULATION } from './refusals'
import { runSimulated, type SimulatedRun } from './simulated-call'
import { type Planned, planned, sealed } from './simulated-header'
import { blockText, type CallText, logViews } from './simulated-text'

/** Characters of the answer. */
const MAX_CHARACTERS = 25 * 1024 * 1024
/** Accounts and slots that all blocks may read together. */
const MAX_HELD = 200_000

type Asked = SimulateRequest['blocks'][number]

/** JSON list of the blocks with the outcomes of their calls. @throws RpcFault RPC_FAILED, RPC_SIMULATION_REFUSED */
export function simulateBlocks(session: QuerySession, request: SimulateRequest, limits: QueryLimits): string {
  const start = session.blocks().find(request.at)
  if (start.hash === null) throw failed('blocks are simulated on a block that is there, not on the pending one')
  const simulation = new Simulation(session, request, start, session.callDeadline(limits))
  return `[${simulation.run().join(',')}]`
}

class Simulation {
  readonly #world: World
  readonly #tries: WorldTries
  /** Hashes of simulated blocks by height. */
  readonly #hashes = new Map<bigint, Uint8Array>()
  #builtIns: SimulatedRun['builtIns'] = null
  #gasLeft: number
  #characters = 0
  /** Accounts and slots that all calls read. */
  #loaded = 0

  constructor(
    private readonly session: QuerySession,
    private readonly request: SimulateRequest,
    private readonly start: StateBlock,
    private readonly deadline: ReturnType<QuerySession['callDeadline']>,
  ) {
    this.#world = session.newWorld(start)
    this.#tries = new WorldTries(start.store, session.keccak256)
    this.#gasLeft = session.options.gasCap
  }

  run(): readonly string[] {
    const { base } = this.start
    let parent = base.hash
    return planned(base.header, this.request.blocks).map(({ header, asked }) => {
      const { hash, text } = this.#block({ header: { ...header, parentHash: parent }, asked })
      this.#hashes.set(header.number, hash)
      parent = hash
      this.#characters += text.length
      if (this.#characters > MAX_CHARACTERS)
        throw refusedAs(SIMULATION.limit, `the answer has more than ${MAX_CHARACTERS} characters`)
      return text
    })
  }

  #block({ header, asked }: Planned<Asked>): { readonly hash: Uint8Array; readonly text: string } {
    if (asked !== null) this.#override(asked)
    const runs: SimulatedRun['result'][] = []
    let gasUsed = 0
    for (const call of asked?.calls ?? []) {
      const run = runSimulated({
        session: this.session,
        world: this.#world,
        base: this.start.base,
        header,
        call,
        gasUsed,
        gasLeft: this.#gasLeft,
        builtIns: this.#builtIns,
        ancestor: (height) => this.#hashes.get(height) ?? null,
        deadline: this.deadline,
        isChecked: this.request.validation,
        tellsTransfers: this.request.traceTransfers,
      })
      gasUsed += run.gasUsed
      this.#gasLeft -= run.gasUsed
      runs.push(run)
      this.#loaded += run.loaded
      if (this.#loaded > MAX_HELD)
        throw refusedAs(SIMULATION.limit, `more than ${MAX_HELD} accounts and slots are read`)
    }
    return this.#finished(header, runs, gasUsed)
  }

  #override({ overrides }: Asked): void {
    this.#builtIns = movedBuiltIns(this.#builtIns ?? this.session.builtIns(), overrides)
    applyOverrides(this.#world, overrides)
    this.#world.finish()
  }

  #finished(header: BlockHeader, runs: readonly SimulatedRun['result'][], gasUsed: number) {
    const { keccak256 } = this.session
    let total = 0n
    const receipts = runs.map(({ type, isGood, gasUsed: used, receiptLogs }) => {
      total += BigInt(used)
      const logs = receiptLogs.map(plainLog)
      return { type, succeeded: isGood, cumulativeGasUsed: total, gasUsed: BigInt(used), logs, contractAddress: null }
    })
    const isEmpty = runs.length === 0
    const { header: whole, hash } = sealed(header, {
      gasUsed: BigInt(gasUsed),
      stateRoot: this.#tries.stateRoot(this.#world, this.start.header.stateRoot),
      logsBloom: bloomOf(receipts.flatMap(({ logs }) => logs)),
      ...(isEmpty
        ? {}
        : {
            txRoot: orderedRoot(
              runs.map(({ raw }) => raw),
              keccak256,
            ),
            receiptRoot: orderedRoot(
              receipts.map((receipt) => encodeReceipt(receipt)),
              keccak256,
            ),
          }),
    })
    const place = { hash, number: whole.number }
    let logIndex = 0
    const calls: CallText[] = runs.map((run, index) => {
      const logs = logViews(run.logs, { ...place, transaction: run.hash, index, firstLog: logIndex })
      logIndex += run.logs.length
      return {
        status: run.isGood ? '0x1' : '0x0',
        returnData: toHex(run.output),
        gasUsed: toQuantity(run.gasUsed),
        logs,
        ...run.fault,
      }
    })
    return { hash, text: blockText({ header: whole, hash, runs, calls, isFull: this.request.fullTransactions }) }
  }
}

function plainLog({ address, topics, data }: WorldLog) {
  return { address: addressBytes(address), topics: topics.map((topic) => bytesOfWord(topic)), data }
}
