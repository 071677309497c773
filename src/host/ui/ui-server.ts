// Answers every attached user interface, whatever carries its frames: Electron IPC, a WebSocket, memory in tests.
import { messageOf } from '../../base/errors'
import { Disposables, type Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { Transport } from '../../base/wire/define'
import { serveWire, type WireServer } from '../../base/wire/server'
import { type Contract, contract } from '../../contract/contract'
import { Coalescer } from './coalescer'
import type { UiAccess, UiParts, UiTopic } from './ui-part'

export interface UiServerDeps {
  readonly parts: UiParts
  readonly clock: Clock
  readonly log: Logger
}

interface Connection {
  readonly server: WireServer<Contract>
  readonly access: UiAccess
}

export class UiServer implements Service {
  readonly name = 'ui'
  readonly #deps: UiServerDeps
  readonly #topics: readonly UiTopic[]
  readonly #connections = new Set<Connection>()
  #running: Disposables | null = null

  constructor(deps: UiServerDeps) {
    const { app, node, miner, signer } = deps.parts
    this.#deps = deps
    this.#topics = [...app.topics, ...node.topics, ...miner.topics, ...signer.topics]
  }

  async start(): Promise<void> {
    const running = new Disposables()
    for (const topic of this.#topics) {
      const coalescer = new Coalescer({ clock: this.#deps.clock, maxRate: topic.maxRate }, () => this.#publish(topic))
      running.add(coalescer)
      running.add(topic.watch(() => coalescer.trigger()))
    }
    this.#running = running
  }

  async stop(): Promise<void> {
    this.#running?.dispose()
    this.#running = null
    for (const connection of [...this.#connections]) connection.server.close()
    this.#connections.clear()
  }

  /** Number of attached user interfaces. */
  get connections(): number {
    return this.#connections.size
  }

  /** Serves one user interface until its transport closes; it gets the current value of every event at once. */
  attach(transport: Transport, access: UiAccess): void {
    if (this.#running === null) {
      transport.close()
      return
    }
    const { app, node, miner, signer } = this.#deps.parts
    const handlers = {
      ...app.calls(access),
      ...node.calls(access),
      ...miner.calls(access),
      ...signer.calls(access),
    }
    const server = serveWire(contract, transport, handlers, {
      log: this.#deps.log,
      deny: (wanted) => (wanted === 'read' || access[wanted] ? null : `this connection has no ${wanted} access`),
    })
    const connection = { server, access }
    this.#connections.add(connection)
    transport.onClose(() => void this.#connections.delete(connection))
    for (const topic of this.#topics) this.#send(topic, connection)
  }

  #publish(topic: UiTopic): void {
    for (const connection of this.#connections) this.#send(topic, connection)
  }

  #send(topic: UiTopic, { server, access }: Connection): void {
    topic.send(server, access).catch((error: unknown) => {
      this.#deps.log.debug('a value for the user interface could not be read', {
        event: topic.name,
        error: messageOf(error),
      })
    })
  }
}
