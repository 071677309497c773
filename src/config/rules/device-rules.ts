// Combined checks of the device options.
import type { ConfigValues } from '../catalog'
import { ConfigError, conflict } from '../errors'
import { isSharedNetwork } from '../schema'

const LOWEST_STOP = 30
const LOWEST_START = 1
/** Default gap below `--tstop` at which a device resumes when `--tstart` isn't given, in degrees. */
const DEFAULT_GAP = 10

/** @throws ConfigError CONFIG_CONFLICT, CONFIG_VALUE_INVALID */
export function checkDevices(values: ConfigValues): void {
  const { simulatedGpus, tstop, tstart } = values.miner
  const { network } = values.app
  if (simulatedGpus > 0 && isSharedNetwork(network)) {
    throw conflict(
      `--simulated-gpus and --network ${network} exclude each other: simulated devices are for practice and custom networks`,
    )
  }
  if (tstop !== 0 && tstop < LOWEST_STOP) {
    const expected = `0 (off) or in ${LOWEST_STOP}..100`
    throw new ConfigError('CONFIG_VALUE_INVALID', { where: '--tstop', value: String(tstop), expected })
  }
  checkTuning(values)
  if (tstart === null) return
  if (tstop === 0) throw conflict('--tstart has no effect without --tstop: set both')
  if (tstart >= tstop) {
    throw conflict(`--tstart ${tstart} must be under --tstop ${tstop}: devices resume once they have cooled to it`)
  }
}

/** @throws ConfigError CONFIG_CONFLICT */
function checkTuning({ tuning, miner }: ConfigValues): void {
  const { goal, price, income, temperature } = tuning
  if (goal === 'margin' && (price === null || income === null)) {
    throw conflict('--tune margin needs --tune-price and --tune-income: the margin is income less power')
  }
  if (temperature !== null && miner.tstop !== 0 && temperature >= miner.tstop) {
    throw conflict(
      `--tune-temperature ${temperature} must be under --tstop ${miner.tstop}: devices are cooled before they are paused`,
    )
  }
}

/** Null: devices rely on their own limits. */
export function temperatureLimits({ tstop, tstart }: Pick<ConfigValues['miner'], 'tstop' | 'tstart'>): {
  readonly stop: number
  readonly start: number
} | null {
  if (tstop === 0) return null
  return { stop: tstop, start: tstart ?? Math.max(LOWEST_START, tstop - DEFAULT_GAP) }
}
