// This computer's devices as listed by `headframe devices`: what they are, what fits, and their names.
import { z } from 'zod'
import { lastFittingEpoch } from '../../miner/farm/datasets/dataset-memory'
import type { InventoryView } from '../../miner/farm/device-inventory'
import type { SurveyedDevice } from '../../miner/farm/survey'
import type { NetworkSpec } from '../../node/networks'
import { networkSpec } from '../node/custom-network'
import { buildTrades, loadTrades } from '../trades'
import type { TradesDeps } from '../trades-deps'

/** A device that could mine, and how to choose it. */
export interface ListedDevice extends Omit<SurveyedDevice, 'isChosen'> {
  /** a word for `--devices` that selects only this device, preferably a stable one */
  readonly select: string
  /** selected by this call's options */
  readonly selected: boolean
  /** which datasets fit its memory; null when the memory is unknown */
  readonly fits: { readonly epoch: boolean; readonly nextEpoch: boolean; readonly lastEpoch: number | null } | null
}

/** All devices, whether chosen or not. */
export interface DeviceListing {
  /** the chain's current epoch by the calendar; 0 for chains without a known start */
  readonly epoch: number
  readonly devices: readonly ListedDevice[]
  /** drivers that list none, and why */
  readonly missing: InventoryView['missing']
}

const genesisTime = z.object({ timestamp: z.string().regex(/^0x[0-9a-f]{1,12}$/i) })

/** Inspects every device once; nothing mines and no file is touched. */
export async function listDevices(deps: TradesDeps, signal: AbortSignal): Promise<DeviceListing> {
  // As for a solo miner, since this call configures no pool and starts nothing.
  const { config } = deps
  const alone = {
    ...config,
    trades: { node: true, miner: true, signer: false },
    pools: { ...config.pools, addresses: [] },
  }
  const { miner, engine } = buildTrades({ ...deps, config: alone }, await loadTrades(alone))
  if (miner === null || engine === null) throw new Error('a start with a miner has one')
  try {
    const found = await miner.survey(signal)
    const epoch = epochByCalendar(networkSpec(config), deps.clock.now())
    const devices = found.map((device) => listed(device, found, { epoch, params: engine.params }))
    return { epoch, devices, missing: miner.inventory().missing }
  } finally {
    await engine.close()
  }
}

function listed(
  device: SurveyedDevice,
  all: readonly SurveyedDevice[],
  { epoch, params }: { readonly epoch: number; readonly params: Parameters<typeof lastFittingEpoch>[0] },
): ListedDevice {
  const { isChosen: selected, ...seen } = device
  const { memoryBytes } = seen
  const lastEpoch = memoryBytes === null ? null : lastFittingEpoch(params, memoryBytes)
  const upTo = lastEpoch ?? -1
  const fits = memoryBytes === null ? null : { epoch: epoch <= upTo, nextEpoch: epoch < upTo, lastEpoch }
  return { ...seen, select: wordFor(device, all), selected, fits }
}

/** Addresses are stable when devices are added; indexes aren't. */
function wordFor({ pci, backend, index }: SurveyedDevice, all: readonly SurveyedDevice[]): string {
  if (pci !== '' && all.filter((other) => other.pci === pci).length === 1) return pci
  return backend === 'cpu' ? 'cpu' : String(index)
}

/** Blocks follow the target block time, so the date gives the epoch of a chain with a known start. */
function epochByCalendar({ genesis, consensus, xhash }: NetworkSpec, now: number): number {
  const first = genesis === null ? null : genesisTime.safeParse(JSON.parse(genesis))
  if (first?.success !== true) return 0
  const seconds = now / 1_000 - Number(first.data.timestamp)
  return Math.max(0, Math.floor(seconds / consensus.targetSpacingSeconds / xhash.epochLength))
}
