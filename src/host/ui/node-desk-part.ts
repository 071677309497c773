// The node as a whole in the user interface: started and stopped, its blocks written to a file and read from one.
import { Disposables } from '../../base/lifecycle'
import type { Clock } from '../../base/time'
import type { NodeDeskView } from '../../contract/node-desk'
import type { NodeService } from '../../node/node-service'
import { HostError } from '../errors'
import type { SupervisedService } from '../supervised-service'
import { BlockDesk } from './block-desk'
import { type CallsOf, isHere, topic, type UiAccess, type UiTopic } from './ui-part'

export interface NodeDeskDeps {
  /** Null when this start has no node. */
  readonly node: NodeService | null
  readonly supervised: SupervisedService | null
  readonly clock: Clock
}

type DeskCalls = Pick<
  CallsOf<'node'>,
  'node.start' | 'node.stop' | 'node.exportBlocks' | 'node.importBlocks' | 'node.cancelBlocks'
>

export interface NodeDesk {
  readonly calls: (access: UiAccess) => DeskCalls
  readonly topics: readonly UiTopic[]
}

/** One for all connections. */
export function nodeDesk({ node, supervised, clock }: NodeDeskDeps): NodeDesk {
  const blocks = new BlockDesk(clock)
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
        await blocks.exportBlocks(running(node, access), file, { first, last })
        return {}
      },
      'node.importBlocks': async ({ file }) => {
        await blocks.importBlocks(running(node, access), file)
        return {}
      },
      'node.cancelBlocks': () => {
        blocks.cancel()
        return {}
      },
    }),
    topics: [
      topic('node.desk', {
        read: (access): NodeDeskView => {
          const canNameFiles = mayNameFiles(access) && node !== null
          const job = blocks.job()
          return {
            canNameFiles,
            isSwitchedOff: isSwitchedOff(),
            // Who may not name files sees none.
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

function running(node: NodeService | null, access: UiAccess): NodeService {
  if (!mayNameFiles(access)) throw new HostError('HOST_NOT_HERE', { what: 'files are named' })
  if (node === null || node.head() === null) throw new HostError('HOST_SERVICE_OFF', { service: 'running node' })
  return node
}
