// Sends one connection its events: immediately while it is visible, and frequently changing ones less often while
// hidden.
import type { Disposable } from '../../base/disposable'
import type { Clock } from '../../base/time'
import { HIDDEN_PERIOD_MS, SELDOM_WHEN_HIDDEN } from '../../contract/app'
import type { UiTopic } from './ui-handlers'

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
