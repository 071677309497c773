// Pools for the UI, and the calls that change them.
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import { hostPort, type PoolUrlOutcome } from '../../../config/values/pool-url'
import type { PoolHeadView, PoolsView } from '../../../contract/pools'
import { expectedHashes } from '../../../miner/difficulty'
import type { MinerService } from '../../../miner/miner-service'
import { PoolEntry } from '../../../miner/pool/pool-entry'
import type { PoolProbe } from '../../../miner/pool/pool-probe'
import type { PoolSource } from '../../../miner/pool/pool-source'
import { type PoolView, poolView } from '../../../miner/pool/pool-source-options'
import { HostError } from '../../errors'
import type { MinerParts } from '../../miner/create-miner'
import type { Money } from '../../miner/create-money'
import { earningsView } from '../../miner/gather-report'
import type { PoolSettings } from '../../miner/pool-settings'
import { off, topic, uiCalls } from '../ui-handlers'

/** Each null when this run doesn't have it. */
export interface PoolPartDeps {
  readonly miner: MinerService | null
  readonly pools: PoolSource | null
  /** Null without a miner. */
  readonly poolSettings: PoolSettings | null
  readonly readPool: (text: string) => PoolUrlOutcome
  readonly probe: PoolProbe
  readonly watched: MinerParts['watched']
  readonly money: Money | null
  readonly clock: Clock
}

/** @throws HostError HOST_SERVICE_OFF when this run has no pools, HOST_POOL_MOVED; MinerError POOL_ codes */
export function poolHandlers(deps: PoolPartDeps) {
  const pools = (): PoolSource => deps.pools ?? off('list of pools')
  const poolSettings = (): PoolSettings => deps.poolSettings ?? off('list of pools')
  const readTyped = (url: string, index: number | null): PoolUrlOutcome =>
    deps.readPool(index === null ? url : poolSettings().filled(url, index))
  /** Someone else may have moved or removed pools since the caller looked. @throws HostError HOST_POOL_MOVED */
  const meant = ({ index, shown }: { readonly index: number; readonly shown?: string | undefined }): number => {
    if (shown !== undefined && poolSettings().urlAt(index).masked !== shown)
      throw new HostError('HOST_POOL_MOVED', { index })
    return index
  }
  const calls = uiCalls({
    'miner.poolAdd': ({ url }) => poolSettings().add(url),
    'miner.poolAddress': (pool) => ({ url: poolSettings().shown(meant(pool)) }),
    'miner.poolEdit': ({ url, ...pool }) => poolSettings().edit(meant(pool), url),
    'miner.poolRemove': (pool) => poolSettings().remove(meant(pool)),
    'miner.poolRestore': ({ undo }) => poolSettings().restore(undo),
    'miner.poolMove': ({ to, ...pool }) => poolSettings().move(meant(pool), to),
    'miner.poolActivate': (pool) => pools().setActive(meant(pool)),
    'miner.earnings': ({ since }) => earningsView((deps.money ?? off('miner')).ledger, since),
    'miner.poolTest': async ({ url, index = null }, signal) => {
      const read = index !== null && url === '' ? { url: poolSettings().urlAt(index) } : readTyped(url, index)
      const outcome = 'fault' in read ? read : await deps.probe(read.url, signal)
      const nothing = { dialect: '', height: null, epoch: null, difficulty: null, latencyMs: null }
      if ('fault' in outcome) {
        const { fault } = outcome
        return { ok: false, fault, trouble: 'trouble' in outcome ? outcome.trouble : null, ...nothing }
      }
      const { dialect, latencyMs, job } = outcome
      const { height, epoch, target } = job
      return {
        ok: true,
        fault: '',
        trouble: null,
        dialect,
        latencyMs,
        height,
        epoch,
        difficulty: expectedHashes(target),
      }
    },
  })
  const topics = [
    topic('miner.pools', {
      read: () => poolsView(deps),
      watch: (changed) =>
        deps.pools?.poolEvents.on('poolsChanged', changed) ??
        deps.poolSettings?.events.on('plannedChanged', changed) ??
        new Disposables(),
    }),
    topic('miner.poolHead', {
      read: () => poolHeadView(deps),
      watch: (changed) =>
        new Disposables(
          deps.watched?.lag.events.on('changed', changed),
          deps.miner?.events.on('statusChanged', changed),
        ),
    }),
  ]
  return { calls, topics }
}

function poolsView({ pools, miner, poolSettings, clock }: PoolPartDeps): PoolsView {
  const takenAt = clock.now()
  if (miner === null) return { kind: 'none', pools: [], takenAt }
  if (pools === null) {
    // Nothing is known yet about a pool of the next start.
    const planned = (poolSettings?.planned() ?? []).map((url, index) => ({
      ...seenView(poolView(new PoolEntry(url), { index, state: 'idle', active: null })),
      state: 'planned' as const,
    }))
    return { kind: 'solo', pools: planned, takenAt }
  }
  // With an empty list and our own node, the miner works for that.
  if (pools.pools().length === 0) return { kind: 'solo', pools: [], takenAt }
  return { kind: 'pools', pools: pools.pools().map(seenView), takenAt }
}

/** Without our own node, there is nothing to compare the job with. */
function poolHeadView({ watched, miner, clock }: PoolPartDeps): PoolHeadView {
  const takenAt = clock.now()
  const source = miner?.snapshot().source ?? null
  if (watched !== null && source?.kind === 'pool') {
    const coinbases = watched.pools.coinbases(source?.host ?? '').map((address) => `0x${address}`)
    return { ...watched.lag.state(), coinbases, takenAt }
  }
  const { kind = 'none', connected = false, height = null, epoch = null } = source ?? {}
  const job = epoch === null || !connected ? null : { height, epoch, at: takenAt }
  const nothing = { since: null, head: null, delays: null, coinbases: [], takenAt }
  if (kind === 'solo') return { state: 'own', why: '', job, ...nothing }
  return job === null
    ? { state: 'noJob', why: '', job, ...nothing }
    : { state: 'unknown', why: 'noNode', job, ...nothing }
}

const seenView = ({ url, difficulty, ...seen }: PoolView) => ({
  ...seen,
  url: url.masked,
  host: hostPort(url),
  user: url.user,
  worker: url.worker,
  tls: url.tls,
  verified: url.verify,
  difficulty: difficulty === null ? null : Number(difficulty),
})
