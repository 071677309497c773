// The line RPC's setverbosity: each bit enables one kind of line at level info.
import type { Disposable } from '../../base/disposable'
import type { Logger } from '../../base/logger'
import type { MinerService } from '../../miner/miner-service'
import type { MinerSnapshot } from '../../miner/stats/snapshot'

const BITS = { summary: 1, perGpu: 2, connect: 32, switch: 64, submit: 128, flow: 256 } as const
/** Status changes at least once a second; figures are logged this often. */
const EVERY_SECONDS = 5

/** The miner's events that are used. */
export type SpokenMiner = Pick<MinerService, 'events' | 'devices' | 'summary'>

export class Verbosity {
  #bits = 0
  #held: Disposable[] = []
  #last: MinerSnapshot['source'] | null = null
  #saidAt = -1

  constructor(
    private readonly miner: SpokenMiner,
    private readonly log: Logger,
  ) {}

  /** @param bits 0..511, a bit mask; 0 = only regular lines */
  set(bits: number): void {
    for (const listener of this.#held.splice(0)) listener.dispose()
    this.#bits = bits
    if (bits === 0) return
    this.#held = [
      this.miner.events.on('statusChanged', (status) => this.#status(status)),
      this.miner.events.on('shareSettled', ({ device, outcome, reason, latencyMs }) => {
        if (this.#has('submit')) this.log.info('share settled', { device, outcome, reason, latencyMs })
      }),
    ]
  }

  #status({ source, uptimeSeconds }: MinerSnapshot): void {
    const last = this.#last
    this.#last = source
    if (last !== null && last.connected !== source.connected && this.#has('connect'))
      this.log.info(source.connected ? 'connected' : 'disconnected', { host: source.host })
    if (last !== null && last.switches !== source.switches && this.#has('switch'))
      this.log.info('pool switched', { host: source.host, switches: source.switches })
    if (last !== null && (last.height !== source.height || last.epoch !== source.epoch) && this.#has('flow'))
      this.log.info('new work', { height: source.height, epoch: source.epoch })
    if (uptimeSeconds % EVERY_SECONDS !== 0 || uptimeSeconds === this.#saidAt) return
    this.#saidAt = uptimeSeconds
    if (this.#has('summary')) this.log.info('summary', { json: JSON.stringify(this.miner.summary(false)) })
    if (this.#has('perGpu'))
      for (const { index, hashrate } of this.miner.devices())
        this.log.info('device rate', { device: index, hashesPerSecond: Math.round(hashrate.now) })
  }

  #has(kind: keyof typeof BITS): boolean {
    return (this.#bits & BITS[kind]) !== 0
  }
}
