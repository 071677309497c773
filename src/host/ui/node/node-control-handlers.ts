// The node as a whole for the UI: start and stop, block export and import.
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import type { NodeControlView } from '../../../contract/node-control'
import type { NodeService } from '../../../node/node-service'
import { HostError } from '../../errors'
import type { ChainDatabase } from '../../node/chain-database'
import type { SupervisedService } from '../../system/supervised-service'
import { type CallsOf, isHere, topic, type UiAccess, type UiTopic } from '../ui-handlers'
import { BlockFileJobs } from './block-file-jobs'
import { DatabaseJob } from './database-job'

interface NodeControlDeps {
  /** Null when this run has no node. */
  readonly node: NodeService | null
  readonly supervised: SupervisedService | null
  /** The node's; missing in a run without one. */
  readonly database?: Pick<ChainDatabase, 'care'> | null
  readonly clock: Clock
}

type ControlCalls = Pick<
  CallsOf<'node'>,
  | 'node.start'
  | 'node.stop'
  | 'node.exportBlocks'
  | 'node.importBlocks'
  | 'node.goBack'
  | 'node.cancelBlocks'
  | 'node.checkDatabase'
  | 'node.cancelCheck'
>

interface NodeControl {
  readonly calls: (access: UiAccess) => ControlCalls
  readonly topics: readonly UiTopic[]
}

/** One for all connections. */
export function nodeControl({ node, supervised, database = null, clock }: NodeControlDeps): NodeControl {
  const blocks = new BlockFileJobs(clock)
  const check = database === null || supervised === null ? null : new DatabaseJob({ database, node: supervised, clock })
  return {
    calls: (access) => ({
      'node.start': async () => {
        check?.cancel()
        await whole(supervised).switchOn()
      },
      'node.stop': async () => {
        blocks.cancel()
        await whole(supervised).stop()
      },
      'node.exportBlocks': async ({ file, first, last }) =>
        blocks.exportBlocks(running(node, access, 'files are named'), file, { first, last }),
      'node.importBlocks': async ({ file }) => blocks.importBlocks(running(node, access, 'files are named'), file),
      'node.goBack': async ({ number }) => {
        const refusal = await running(node, access, 'the chain is taken back').goBackTo(number)
        if (refusal !== null) throw new HostError('HOST_NOT_TAKEN_BACK', { number, reason: refusal })
      },
      'node.cancelBlocks': () => blocks.cancel(),
      'node.checkDatabase': async () => {
        const allowed = checkable(check, access)
        blocks.cancel()
        await allowed.start()
      },
      'node.cancelCheck': () => check?.cancel(),
    }),
    topics: [controlTopic({ node, supervised, clock, blocks, check })],
  }
}

interface ControlState extends Pick<NodeControlDeps, 'node' | 'supervised' | 'clock'> {
  readonly blocks: BlockFileJobs
  /** Null where there is no database to check. */
  readonly check: DatabaseJob | null
}

function controlTopic({ node, supervised, clock, blocks, check }: ControlState): UiTopic {
  return topic('node.control', {
    read: (access): NodeControlView => {
      const canNameFiles = mayNameFiles(access) && node !== null
      const job = blocks.job()
      const database = check?.job() ?? null
      return {
        canNameFiles,
        isSwitchedOff: supervised?.view().state === 'off',
        // Connections that may not name files don't see any.
        job: job === null || canNameFiles ? job : { ...job, file: '', error: '' },
        database: database === null || canNameFiles ? database : { ...database, damage: [], error: '' },
        takenAt: clock.now(),
      }
    },
    watch: (changed) =>
      new Disposables(
        blocks.events.on('changed', changed),
        check?.events.on('changed', changed),
        supervised?.events.on('stateChanged', changed),
      ),
  })
}

function mayNameFiles(access: UiAccess): boolean {
  return access.control && isHere(access)
}

function whole(supervised: SupervisedService | null): SupervisedService {
  if (supervised === null) throw new HostError('HOST_SERVICE_OFF', { service: 'node' })
  return supervised
}

function checkable(check: DatabaseJob | null, access: UiAccess): DatabaseJob {
  if (!mayNameFiles(access)) throw new HostError('HOST_NOT_HERE', { what: 'the database is checked' })
  if (check === null) throw new HostError('HOST_SERVICE_OFF', { service: 'node' })
  return check
}

/** @param what only permitted from this computer */
function running(node: NodeService | null, access: UiAccess, what: string): NodeService {
  if (!mayNameFiles(access)) throw new HostError('HOST_NOT_HERE', { what })
  if (node === null || node.head() === null) throw new HostError('HOST_SERVICE_OFF', { service: 'running node' })
  return node
}
