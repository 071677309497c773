// devices, and --list-devices: devices of this computer, whether they would mine with these options, and their names.
import { columns } from '../../base/language/visible-text'
import { type DeviceListing, type ListedDevice, listDevices } from '../../host/miner/device-list'
import type { CliCall } from '../call'
import { EXIT_DONE, noticeLine } from '../exit-codes'
import { configOf } from '../load-config'
import { untilSignal } from '../stop-signals'
import { depsOf } from '../trades-of-call'
import { expectNoWords } from '../words'

const GIB = 1024 ** 3

/** A table, or with --json one array. */
export async function runDevices(call: CliCall): Promise<number> {
  const { parsed, world } = call
  expectNoWords(parsed)
  const { platform } = world
  const config = configOf(call)
  const listing = await untilSignal(world, (signal) => listDevices(depsOf(config, platform, 'warn'), signal))
  const lines = parsed.json ? [JSON.stringify(listing.devices)] : table(listing)
  for (const line of lines) platform.standardOutput(line)
  if (listing.devices.every(({ backend }) => backend === 'cpu'))
    for (const { backend, reason } of listing.missing)
      platform.standardError(noticeLine(`no ${backend} devices: ${reason}`, config.app.logJson))
  return EXIT_DONE
}

/** Rows of text in aligned columns. */
export function table({ epoch, devices }: Pick<DeviceListing, 'epoch' | 'devices'>): readonly string[] {
  if (devices.length === 0) return ['no devices found that can mine']
  const head = [
    '#',
    'KIND',
    '--devices',
    'NAME',
    'MEMORY',
    `EPOCH ${epoch}`,
    `EPOCH ${epoch + 1}`,
    'MINES',
    'SENSORS',
    'DRIVER',
  ]
  return columns([head, ...devices.map(row)])
}

function row(device: ListedDevice): string[] {
  const { index, backend, select, name, threads, memoryBytes, fits, selected, driver } = device
  const told = (value: boolean | undefined): string => (value === undefined ? '?' : value ? 'fits' : 'too big')
  return [
    String(index),
    backend,
    select,
    threads === null ? name : `${name}, ${threads} ${threads === 1 ? 'thread' : 'threads'}`,
    memoryBytes === null ? '?' : `${(memoryBytes / GIB).toFixed(1)} GiB`,
    told(fits?.epoch),
    told(fits?.nextEpoch),
    selected ? 'yes' : 'no',
    sensorText(device),
    driver,
  ]
}

function sensorText({ sensors, sensorFault }: ListedDevice): string {
  const { temperature, fanPercent, powerWatts } = sensors
  const parts = [
    ...(temperature.core === null ? [] : [`${temperature.core.toFixed(0)} C`]),
    ...(fanPercent === null ? [] : [`fan ${fanPercent.toFixed(0)}%`]),
    ...(powerWatts === null ? [] : [`${powerWatts.toFixed(0)} W`]),
  ]
  return parts.length > 0 ? parts.join(', ') : sensorFault || '-'
}
