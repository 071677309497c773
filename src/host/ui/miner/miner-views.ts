// Views of the miner for a single device.
import type { DeviceView, HistoryView, InventoryView, SolutionsView } from '../../../contract/miner'
import type { MinerService } from '../../../miner/miner-service'
import type { DeviceSnapshot, HistoryQuery, SettledShare } from '../../../miner/stats/snapshot'

const MAX_SHARES = 50
const NONCE_DIGITS = 16

/** A paused device has no hashrate: the underlying means still contain earlier work for up to 15 minutes. */
export function deviceView({ hashes: _, ...device }: DeviceSnapshot): DeviceView {
  const view = { ...device, pauseReasons: [...device.pauseReasons] }
  return device.paused ? { ...view, hashrate: { now: null, s60: null, m15: null } } : view
}

/** Minimum and maximum only when a point is more than one sample. */
export function historyView(miner: Pick<MinerService, 'history'>, query: HistoryQuery): HistoryView {
  const { stepMs, firstAt, values, min, max } = miner.history(query)
  return query.window === '10m' ? { stepMs, firstAt, values } : { stepMs, firstAt, values, min, max }
}

/** @param miner null: this run has none */
export function inventoryView(miner: Pick<MinerService, 'inventory'> | null): InventoryView {
  if (miner === null) return { devices: [], excluded: [], missing: [] }
  const { devices, excluded, missing } = miner.inventory()
  return {
    devices: [...devices],
    excluded: excluded.map(({ name, pci, backend, driver }) => ({ name, pci, backend, driver })),
    missing: [...missing],
  }
}

/** Newest first. */
export function solutionsView(
  miner: Pick<MinerService, 'recentShares' | 'failedSolutions'>,
  device: number,
): SolutionsView {
  const own = miner.recentShares().filter((share) => share.device === device)
  return {
    shares: own.slice(-MAX_SHARES).reverse().map(shareView),
    failed: [...miner.failedSolutions(device)].reverse().map(({ at, epoch, nonce }) => ({
      at,
      epoch,
      nonce: nonce.toString(16).padStart(NONCE_DIGITS, '0'),
    })),
  }
}

function shareView({ at, outcome, jobDifficulty, ownDifficulty, latencyMs, reason }: SettledShare) {
  return { at, outcome, jobDifficulty, ownDifficulty, latencyMs, reason }
}
