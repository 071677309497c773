// What a chaos run does to the program, and when: the same for the same seed.
import { dice } from '../node/p2p-network'
import { DAMAGES, type DamageKind } from './damage'

export type ChaosEvent =
  /** `epoch`: the pool's jobs belong to the next epoch. */
  | { readonly kind: 'kill' | 'stop' | 'epoch' }
  | { readonly kind: 'damage'; readonly file: DamageKind }
  | { readonly kind: 'worker'; readonly entry: string }
  | {
      readonly kind: 'disk low' | 'disk full' | 'pool away' | 'pool cut' | 'pool mute' | 'peer away'
      readonly ms: number
    }
  | { readonly kind: 'clock'; readonly stepMs: number }
  | { readonly kind: 'suspend'; readonly ms: number }

export interface PlannedEvent {
  readonly atMs: number
  readonly event: ChaosEvent
  /** For what the event itself draws. */
  readonly seed: number
}

export interface ChaosScriptOptions {
  readonly seed: number
  readonly lengthMs: number
  /** False if no disk can be created: omits full disks. */
  readonly hasDisk: boolean
  /** A week in which little happens but time: epochs, stops and starts, a pool or a peer that leaves. */
  readonly isWeek?: boolean
}

const MIN_GAP_MS = 5_000
const GAP_SPREAD_MS = 9_000
/** The last quiet time, in which everything has to finish. */
const QUIET_MS = 30_000
const SEEDS = 1_000_000
const WORKERS = ['chain-worker.cjs', 'query-worker.cjs', 'key-worker.cjs'] as const
/** Both ways, small and large. */
const CLOCK_STEPS_MS = [-3_600_000, -60_000, -5_000, 5_000, 60_000, 3_600_000]
const EPOCHS_A_ROUND = 4
const AWAY_MS = [1_000, 5_000, 15_000]

/** In time order. Every kind of event comes before any comes again. */
export function chaosScript({ seed, lengthMs, hasDisk, isWeek = false }: ChaosScriptOptions): readonly PlannedEvent[] {
  const roll = dice(seed)
  const plan: PlannedEvent[] = []
  let bag: ChaosEvent[] = []
  for (let atMs = GAP_SPREAD_MS; atMs < lengthMs - QUIET_MS; atMs += MIN_GAP_MS + roll(GAP_SPREAD_MS)) {
    if (bag.length === 0) bag = isWeek ? weekEvents() : oneOfEach(roll, hasDisk)
    const [event] = bag.splice(roll(bag.length), 1)
    if (event !== undefined) plan.push({ atMs, event, seed: roll(SEEDS) })
  }
  return plan
}

function weekEvents(): ChaosEvent[] {
  const epochs = Array.from({ length: EPOCHS_A_ROUND }, (): ChaosEvent => ({ kind: 'epoch' }))
  return [
    ...epochs,
    { kind: 'kill' },
    { kind: 'stop' },
    { kind: 'pool cut', ms: 0 },
    { kind: 'peer away', ms: 5_000 },
    { kind: 'suspend', ms: 5_000 },
  ]
}

function oneOfEach(roll: (limit: number) => number, hasDisk: boolean): ChaosEvent[] {
  const pick = <T>(list: readonly [T, ...T[]] | readonly T[], fallback: T): T => list[roll(list.length)] ?? fallback
  const away = (): number => pick(AWAY_MS, 1_000)
  const kinds = Object.keys(DAMAGES) as DamageKind[]
  const damages = Array.from({ length: 3 }, (): ChaosEvent => {
    const [file = 'journal'] = kinds.splice(roll(kinds.length), 1)
    return { kind: 'damage', file }
  })
  return [
    { kind: 'kill' },
    { kind: 'kill' },
    { kind: 'stop' },
    ...damages,
    { kind: 'worker', entry: pick(WORKERS, WORKERS[0]) },
    ...(hasDisk
      ? ([
          { kind: 'disk low', ms: away() },
          { kind: 'disk full', ms: away() },
        ] as const)
      : []),
    { kind: 'pool away', ms: away() },
    { kind: 'pool cut', ms: 0 },
    { kind: 'pool mute', ms: away() },
    { kind: 'peer away', ms: away() },
    { kind: 'clock', stepMs: pick(CLOCK_STEPS_MS, 5_000) },
    { kind: 'suspend', ms: away() },
  ]
}

/** `damage journal`, `clock -60 s` */
export function eventName(event: ChaosEvent): string {
  switch (event.kind) {
    case 'damage':
      return `damage ${event.file}`
    case 'worker':
      return `end ${event.entry}`
    case 'clock':
      return `clock ${event.stepMs / 1000} s`
    case 'kill':
    case 'stop':
    case 'epoch':
      return event.kind
    default:
      return `${event.kind} ${event.ms / 1000} s`
  }
}
