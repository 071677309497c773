// Made-up pools for tests; every field can be replaced.
import type { PoolHeadView, PoolView } from '../../../contract/pools'
import { fill, NOW } from './open-app'
import type { ScriptedBackend } from './scripted'

/** The first one is active, the others stand by. */
export function aPool(index: number, change: Partial<PoolView> = {}): PoolView {
  return {
    index,
    url: `stratum+tcp://me.rig@pool${index}.example:4444`,
    host: `pool${index}.example:4444`,
    user: 'me',
    worker: 'rig',
    tls: false,
    verified: true,
    active: index === 0,
    state: index === 0 ? 'active' : 'idle',
    lastFault: '',
    diagnosis: null,
    tries: 0,
    nextTryAt: null,
    connectedAt: index === 0 ? NOW - 3_720_000 : null,
    difficulty: index === 0 ? 4_290_000_000 : null,
    latency: index === 0 ? { count: 12, medianMs: 34.4, p95Ms: 1_240 } : null,
    shares: index === 0 ? { accepted: 812, rejected: 3, lost: 1 } : { accepted: 0, rejected: 0, lost: 0 },
    lastSwitch: null,
    ...change,
  }
}

export const show = (backend: ScriptedBackend, pools: readonly PoolView[]): ScriptedBackend =>
  backend.emit('miner.pools', { kind: 'pools', pools: [...pools], takenAt: NOW })

export const withPools =
  (...pools: readonly PoolView[]) =>
  (backend: ScriptedBackend): void => {
    fill(backend)
    show(backend, pools)
  }

/** The answer to a change that was written to the config file. */
export const KEPT = { kept: true, reason: '' }

/** A job one block ahead of our node's head, and what the comparison of the two found. */
export const aPoolHead = (change: Partial<PoolHeadView> = {}): PoolHeadView => ({
  state: 'on',
  why: '',
  since: null,
  job: { height: 201, epoch: 0, at: NOW },
  head: { height: 200, epoch: 0, at: NOW - 5_000 },
  delays: { count: 12, p50Ms: 420, p95Ms: 2_150, lastMs: 800 },
  coinbases: [],
  takenAt: NOW,
  ...change,
})
