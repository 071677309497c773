// Reads the numbers of another rig's summary defensively: a missing or mistyped value counts as unknown, which is 0
// there.
import { z } from 'zod'
import type { ForeignSummary } from '../api/rigs'

/** No real rig reports more; keeps sums over all GPUs of all rigs finite, and sums of counts exact. */
const MAX_FIGURE = 1e21
const MAX_COUNT = 1e12
const number = z.number().nonnegative().max(MAX_FIGURE).catch(0)
const text = z.string().max(1_024).catch('')
const count = z.number().int().nonnegative().max(MAX_COUNT).catch(0)
const rates = z.object({ now: number, '60s': number, '15m': number })
const noRates = { now: 0, '60s': 0, '15m': 0 }
const shares = z.object({ accepted: count, rejected: count, failed: count })
const noShares = { accepted: 0, rejected: 0, failed: 0 }
const temperature = z.object({ core: number, hotspot: number, memory: number })

const gpuSchema = z.object({
  name: text,
  pci: text,
  backend: text,
  hashrate: rates.catch(noRates),
  shares: shares.catch(noShares),
  paused: z.boolean().catch(false),
  pause_reason: text,
  temperature: temperature.catch({ core: 0, hotspot: 0, memory: 0 }),
  fan: number,
  power: number,
  power_limit: number,
  clocks: z.object({ core: number, memory: number }).catch({ core: 0, memory: 0 }),
})

const summarySchema = z.object({
  control: z.boolean().catch(false),
  miner: z
    .object({ version: text, uptime: z.number().nonnegative().max(MAX_COUNT).catch(0) })
    .catch({ version: '', uptime: 0 }),
  pool: z
    .object({ connected: z.boolean().catch(false), host: text, warning: text })
    .catch({ connected: false, host: '', warning: '' }),
  hashrate: rates.extend({ effective: number }).catch({ ...noRates, effective: 0 }),
  shares: shares.catch(noShares),
  gpus: z.array(z.unknown()).catch([]),
})

const MAX_GPUS = 256

/** H/s, Celsius, watts; 0 = not reported. GPUs in the rig's own order: commands refer to one by its index. */
export type RigFigures = ReturnType<typeof rigFigures>
/** One GPU's figures. */
export type RigGpu = ReturnType<typeof gpuFigures>

/** Never throws, whatever the rig sent. */
export function rigFigures(summary: ForeignSummary) {
  const { control, miner, pool, hashrate, shares: sums, gpus } = summarySchema.parse(summary)
  const devices = gpus.slice(0, MAX_GPUS).map(gpuFigures)
  return {
    control,
    version: miner.version,
    uptimeSeconds: Math.floor(miner.uptime),
    pool,
    hashrate: { now: hashrate.now, s60: hashrate['60s'], m15: hashrate['15m'], effective: hashrate.effective },
    shares: sums,
    powerWatts: devices.reduce((sum, gpu) => sum + gpu.powerWatts, 0),
    gpus: devices,
  }
}

/** An entry that isn't an object becomes an unknown GPU, so that the others keep their indexes. */
function gpuFigures(value: unknown) {
  const known = gpuSchema.safeParse(value)
  const {
    hashrate,
    pause_reason: pauseReason,
    fan,
    power,
    power_limit,
    clocks,
    ...rest
  } = known.success ? known.data : gpuSchema.parse({})
  return {
    ...rest,
    hashrate: { now: hashrate.now, s60: hashrate['60s'], m15: hashrate['15m'] },
    pauseReason,
    fanPercent: fan,
    powerWatts: power,
    powerLimitWatts: power_limit,
    clockMhz: clocks,
  }
}

/** Sums over the rigs that are online. @param figures of each rig; null: offline */
export function rigTotals(figures: readonly (RigFigures | null)[]) {
  const online = figures.flatMap((each) => each ?? [])
  const sum = (read: (each: RigFigures) => number): number => online.reduce((total, each) => total + read(each), 0)
  return {
    rigs: figures.length,
    online: online.length,
    gpus: sum(({ gpus }) => gpus.length),
    paused: sum(({ gpus }) => gpus.filter((gpu) => gpu.paused).length),
    hashrate: {
      now: sum(({ hashrate }) => hashrate.now),
      s60: sum(({ hashrate }) => hashrate.s60),
      m15: sum(({ hashrate }) => hashrate.m15),
      effective: sum(({ hashrate }) => hashrate.effective),
    },
    shares: {
      accepted: sum(({ shares }) => shares.accepted),
      rejected: sum(({ shares }) => shares.rejected),
      failed: sum(({ shares }) => shares.failed),
    },
    powerWatts: sum(({ powerWatts }) => powerWatts),
    // H/s over 60 s of the GPUs whose power is known
    meteredHashrate: sum(({ gpus }) =>
      gpus.reduce((total, { powerWatts, hashrate }) => total + (powerWatts > 0 ? hashrate.s60 : 0), 0),
    ),
  }
}
