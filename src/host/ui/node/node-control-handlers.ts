// The node as a whole for the UI: start and stop, block export and import.
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import type { NodeControlView } from '../../../contract/node-control'
import type { NodeService } from '../../../node/node-service'
import { HostError } from '../../errors'
import type { SupervisedService } from '../../system/supervised-service'
import { type CallsOf, isHere, topic, type UiAccess, type UiTopic } from '../ui-handlers'
import { BlockFileJobs } from './block-file-jobs'

export interface NodeControlDeps {
  /** Null when this run has no node. */
  readonly node: NodeService | null
  readonly supervised: SupervisedService | null
  readonly clock: Clock
}

type ControlCalls = Pick<
  CallsOf<'node'>,
  'node.start' | 'node.stop' | 'node.exportBlocks' | 'node.importBlocks' | 'node.goBack' | 'node.cancelBlocks'
>

export interface NodeControl {
  readonly calls: (access: UiAccess) => ControlCalls
  readonly topics: readonly UiTopic[]
}

/** One for all connections. */
export function nodeControl({ node, supervised, clock }: NodeControlDeps): NodeControl {
  const blocks = new BlockFileJobs(clock)
  const isSwitchedOff = (): boolean => supervised?.view().state === 'off'
  return {
    calls: (access) => ({
      'node.start': async () => {
        await whole(supervised).switchOn()
        return {}
      },
      'node.stop': async () => {
        blocks.cancel()
        await whole(supervised).stop()
        return {}
      },
      'node.exportBlocks': async ({ file, first, last }) => {
        await blocks.exportBlocks(running(node, access, 'files are named'), file, { first, last })
        return {}
      },
      'node.importBlocks': async ({ file }) => {
        await blocks.importBlocks(running(node, access, 'files are named'), file)
        return {}
      },
      'node.goBack': async ({ number }) => {
        const refusal = await running(node, access, 'the chain is taken back').goBackTo(number)
        if (refusal !== null) throw new HostError('HOST_NOT_TAKEN_BACK', { number, reason: refusal })
        return {}
      },
      'node.cancelBlocks': () => {
        blocks.cancel()
        return {}
      },
    }),
    topics: [
      topic('node.control', {
        read: (access): NodeControlView => {
          const canNameFiles = mayNameFiles(access) && node !== null
          const job = blocks.job()
          return {
            canNameFiles,
            isSwitchedOff: isSwitchedOff(),
            // Connections that may not name files don't see any.
            job: job === null || canNameFiles ? job : { ...job, file: '', error: '' },
            takenAt: clock.now(),
          }
        },
        watch: (changed) => {
          const held = new Disposables()
          held.add(blocks.events.on('changed', changed))
          if (supervised !== null) held.add(supervised.events.on('stateChanged', changed))
          return held
        },
      }),
    ],
  }
}

function mayNameFiles(access: UiAccess): boolean {
  return access.control && isHere(access)
}

function whole(supervised: SupervisedService | null): SupervisedService {
  if (supervised === null) throw new HostError('HOST_SERVICE_OFF', { service: 'node' })
  return supervised
}

/** @param what only permitted from this computer */
function running(node: NodeService | null, access: UiAccess, what: string): NodeService {
  if (!mayNameFiles(access)) throw new HostError('HOST_NOT_HERE', { what })
  if (node === null || node.head() === null) throw new HostError('HOST_SERVICE_OFF', { service: 'running node' })
  return node
}
