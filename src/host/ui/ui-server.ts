// Serves every attached user interface, whatever the transport: Electron IPC, a WebSocket, memory in tests.
import type { Disposable } from '../../base/disposable'
import { messageOf } from '../../base/errors'
import { Disposables, type Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { Access, Handlers, Transport } from '../../base/wire/define'
import { serveWire, type WireServer } from '../../base/wire/server'
import { HIDDEN_PERIOD_MS, SELDOM_WHEN_HIDDEN } from '../../contract/app'
import { type Contract, contract } from '../../contract/contract'
import { isHere, mayDecide, type UiAccess, type UiParts, type UiTopic } from './ui-handlers'
import { handlersForLink, serverForLink } from './view-filter'

interface CoalescerOptions {
  readonly clock: Clock
  /** Maximum runs per second. */
  readonly maxRate: number
}

export class Coalescer implements Disposable {
  readonly #run: () => void
  #lastRunAt = Number.NEGATIVE_INFINITY
  #isDue = false
  #timer: Disposable | null = null

  constructor(
    private readonly options: CoalescerOptions,
    run: () => void,
  ) {
    this.#run = run
  }

  /**
   * Something changed: runs right after the code that is running now, or at the end of the current interval. So changes
   * that are announced one after the other cause one run, not a second one half an interval later.
   */
  trigger(): void {
    if (this.#timer !== null || this.#isDue) return
    const { clock, maxRate } = this.options
    const waitMs = this.#lastRunAt + 1_000 / maxRate - clock.monotonic()
    if (waitMs > 0) {
      this.#timer = clock.setTimeout(() => this.#fire(), waitMs)
      return
    }
    this.#isDue = true
    queueMicrotask(() => {
      if (this.#isDue) this.#fire()
    })
  }

  dispose(): void {
    this.#timer?.dispose()
    this.#timer = null
    this.#isDue = false
  }

  #fire(): void {
    this.#timer = null
    this.#isDue = false
    this.#lastRunAt = this.options.clock.monotonic()
    this.#run()
  }
}

const seldom: ReadonlySet<string> = new Set(SELDOM_WHEN_HIDDEN)

export class Sight implements Disposable {
  #inSight = true
  readonly #held = new Set<UiTopic>()
  #timer: Disposable | null = null

  constructor(
    private readonly clock: Clock,
    private readonly send: (topic: UiTopic) => void,
  ) {}

  /** The topic's value changed: it is read when sent, so that it is the latest. */
  offer(topic: UiTopic): void {
    if (this.#inSight || !seldom.has(topic.name)) {
      this.send(topic)
      return
    }
    this.#held.add(topic)
    this.#timer ??= this.clock.setTimeout(() => this.#release(), HIDDEN_PERIOD_MS)
  }

  set(inSight: boolean): void {
    this.#inSight = inSight
    if (inSight) this.#release()
  }

  dispose(): void {
    this.#timer?.dispose()
    this.#timer = null
    this.#held.clear()
  }

  #release(): void {
    const held = [...this.#held]
    this.dispose()
    for (const topic of held) this.send(topic)
  }
}

interface UiServerDeps {
  readonly parts: UiParts
  readonly clock: Clock
  readonly log: Logger
}

/** Far more than a page sends at once; a client that doesn't wait for answers can't fill memory. */
const MAX_CALLS = 128
/** Until a value that couldn't be read is read again, if nothing changed before. */
const RETRY_MS = 2_000

type SightHandlers = Pick<Handlers<Contract>, 'ui.sight'>

interface Connection {
  readonly server: WireServer<Contract>
  readonly access: UiAccess
  readonly sight: Sight
  /** By topic. */
  readonly readings: Map<string, Readings>
}

interface Readings {
  /** How many were begun, and which of them was sent last. */
  begun: number
  sent: number
  retry: Disposable | null
}

export class UiServer implements Service {
  readonly name = 'ui'
  readonly #topics: readonly UiTopic[]
  readonly #connections = new Set<Connection>()
  #running: Disposables | null = null

  constructor(private readonly deps: UiServerDeps) {
    const { app, node, miner, signer } = deps.parts
    this.#topics = [...app.topics, ...node.topics, ...miner.topics, ...signer.topics]
  }

  async start(): Promise<void> {
    const running = new Disposables()
    for (const topic of this.#topics) {
      const coalescer = new Coalescer({ clock: this.deps.clock, maxRate: topic.maxRate }, () => this.#publish(topic))
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

  /** How many use each link. */
  watching(): readonly { readonly id: string; readonly count: number }[] {
    const counts = new Map<string, number>()
    for (const { access } of this.#connections) {
      if (access.view) counts.set(access.view.id, (counts.get(access.view.id) ?? 0) + 1)
    }
    return [...counts].map(([id, count]) => ({ id, count }))
  }

  /** Serves one user interface until its transport closes; it immediately gets the current value of every event. */
  attach(transport: Transport, access: UiAccess): void {
    if (this.#running === null) {
      transport.close()
      return
    }
    const { app, node, miner, signer } = this.deps.parts
    const all = {
      ...app.calls(access),
      ...node.calls(access),
      ...miner.calls(access),
      ...signer.calls(access),
    }
    const { view = null } = access
    const sight = new Sight(this.deps.clock, (topic) => this.#send(topic, connection))
    const seen: SightHandlers = {
      'ui.sight': ({ inSight }) => sight.set(inSight),
    }
    const handlers = { ...(view === null ? all : handlersForLink({ ...all, ...seen }, view)), ...seen }
    const wire = serveWire(contract, transport, handlers, {
      log: this.deps.log,
      maxCalls: MAX_CALLS,
      deny: (wanted) => (isAllowed(access, wanted) ? null : `this connection has no ${wanted} access`),
    })
    const server = view === null ? wire : serverForLink(wire, view)
    const connection: Connection = { server, access, sight, readings: new Map() }
    this.#connections.add(connection)
    transport.onClose(() => {
      this.#connections.delete(connection)
      sight.dispose()
      for (const { retry } of connection.readings.values()) retry?.dispose()
    })
    for (const topic of this.#topics) this.#send(topic, connection)
  }

  #publish(topic: UiTopic): void {
    for (const { sight } of this.#connections) sight.offer(topic)
  }

  /** A reading that took longer than a later one isn't sent, and one that failed is tried again: no page stays behind. */
  #send(topic: UiTopic, connection: Connection): void {
    const { server, access, readings } = connection
    const reading = readings.get(topic.name) ?? { begun: 0, sent: 0, retry: null }
    readings.set(topic.name, reading)
    reading.begun += 1
    const turn = reading.begun
    const isNewest = (): boolean => {
      if (turn < reading.sent) return false
      reading.sent = turn
      return true
    }
    topic.send(server, access, isNewest).catch((error: unknown) => {
      this.deps.log.debug('a value for the user interface could not be read', {
        event: topic.name,
        error: messageOf(error),
      })
      if (turn !== reading.begun || !this.#connections.has(connection)) return
      reading.retry?.dispose()
      reading.retry = this.deps.clock.setTimeout(() => {
        if (turn === reading.begun) this.#send(topic, connection)
      }, RETRY_MS)
    })
  }
}

function isAllowed(access: UiAccess, wanted: Access): boolean {
  if (access.view) return wanted === 'read'
  if (wanted === 'decide') return mayDecide(access)
  if (wanted === 'here') return isHere(access)
  return wanted === 'read' || access[wanted]
}
