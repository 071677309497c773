// What can go wrong in the miner. Codes are public: never rename one, add a new one.
import { defineErrors } from '../base/errors'

export const MinerError = defineErrors({
  DEVICE_UNKNOWN: (d: { device: number; count: number }) =>
    d.count === 0 ? `device ${d.device}: there is no device` : `device ${d.device} is not in 0..${d.count - 1}`,
  DEVICE_NONE_SELECTED: (d: { words: readonly string[]; found: readonly string[] }) =>
    `--devices ${d.words.join(',')} selects none of the devices here: ${d.found.length === 0 ? 'there are none' : d.found.join('; ')}`,
  DEVICE_OUT_OF_MEMORY: (d: { neededBytes: number; freeBytes: number }) =>
    `the DAG needs ${sizeText(d.neededBytes)}, the device has ${sizeText(d.freeBytes)} free`,
  DEVICE_DATASET_WRONG: (d: { epoch: number; item: number }) =>
    `the DAG of epoch ${d.epoch} is wrong at item ${d.item}: the device's memory is faulty or its clocks are too high`,
  DEVICE_NOT_SIMULATED: (d: { device: number }) =>
    `device ${d.device} is real; faults can only be simulated on simulated devices`,
  DEVICE_SIMULATION_REFUSED: () => 'simulated devices are for practice and custom networks only',
  DEVICE_SIMULATION_FULL: (d: { most: number }) => `there are ${d.most} simulated devices, the maximum`,
  POOL_INDEX: (d: { index: number; count: number }) =>
    d.count === 0 ? `pool ${d.index}: the list is empty` : `pool ${d.index} is not in 0..${d.count - 1}`,
  POOL_DUPLICATE: (d: { url: string }) => `pool ${d.url} is in the list already`,
  POOL_LIST_FULL: (d: { most: number }) => `the list holds ${d.most} pools, the maximum`,
  POOL_ACTIVE: (d: { index: number }) =>
    `pool ${d.index} is active and cannot be removed: switch to another pool first`,
  POOL_SWITCHING: () => 'another pool switch is in progress: try again when it is done',
  POOL_PORT_IN_USE: (d: { host: string; port: number }) =>
    `--stratum-bind: port ${d.port} of ${d.host} is in use; stop the other program or choose another port (0 = any free one)`,
  POOL_PORT_UNUSABLE: (d: { host: string; port: number; reason: string }) =>
    `--stratum-bind: cannot listen on ${d.host} port ${d.port}: ${d.reason}`,
  POOL_CERTIFICATE_UNUSABLE: (d: { reason: string }) =>
    `--stratum-cert-file and --stratum-key-file are no PEM certificate with its key: ${d.reason}`,
  TUNING_CARD_UNKNOWN: (d: { card: string; known: readonly string[] }) =>
    `GPU ${d.card} does not exist or has no settings; known: ${d.known.join(', ') || 'none'}`,
  TUNING_KNOB_ABSENT: (d: { pci: string; knob: string; has: readonly string[] }) =>
    `GPU ${d.pci} has no adjustable ${d.knob}; it has: ${d.has.join(', ') || 'nothing'}`,
  TUNING_OUT_OF_RANGE: (d: { pci: string; knob: string; value: number; least: number; most: number; unit: string }) =>
    `${d.knob} ${d.value} is not in ${d.least}..${d.most} ${d.unit}, the range of GPU ${d.pci}`,
  TUNING_REFUSED: (d: { pci: string; reason: string; commands: readonly string[] }) =>
    `GPU ${d.pci} cannot be set: ${d.reason}; with administrator rights, run: ${d.commands.join(' && ')}`,
  TUNING_NO_PRICES: () => 'the margin is income less power: set --tune-price and --tune-income',
  TUNING_PROFILE_UNKNOWN: (d: { profile: string; known: readonly string[] }) =>
    `there is no tuning profile ${d.profile}; known: ${d.known.join(', ') || 'none'}`,
  SENSOR_TIMEOUT: (d: { timeoutMs: number }) => `sensor did not answer within ${d.timeoutMs} ms`,
})

/** `1.9 GB`, in powers of ten, as GPU vendors count. */
function sizeText(bytes: number): string {
  return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`
}
