// What a device is called and how it is colored: the same in every chart, tile and table.

import { useMemo } from 'react'
import type { DeviceView } from '../../../../contract/miner'
import type { Formatter } from '../../format/formatter'
import { type Text, useText } from '../../i18n/text'
import { useMiner } from '../../state/environment'
import { selectBackends } from '../../state/stores/program-store'

/** Cool hues, so that warm always means lost. */
const COLORS = 8

interface Labeled {
  readonly index: number
  /** As in the contract; anything else is a device of unknown kind. */
  readonly backend?: string | number | undefined
}

/** `GPU 2`, or `CPU` for the processor; `Device 2` if its kind isn't known. */
export function deviceLabel({ backend, index }: Labeled, t: Text): string {
  if (backend === 'cpu') return t('ui.gpus.cpu')
  const isGpu = backend === 'opencl' || backend === 'cuda' || backend === 'simulated'
  return t(isGpu ? 'ui.gpus.gpuName' : 'ui.gpus.deviceName', { index })
}

/** What a record means: its index, and the name of that time where it was kept. */
interface RecordedDevice {
  readonly index: number
  readonly name?: string
}

export type DeviceNamer = (device: RecordedDevice) => string

/** Names what records mean by the devices of now. One of another name isn't the one recorded. */
export function deviceNamer(backends: Readonly<Record<string, string>>, t: Text): DeviceNamer {
  return ({ index, name }) =>
    deviceLabel({ index, backend: backends[name === undefined ? `${index}` : `${index} ${name}`] }, t)
}

/** `CPU`, or `GPU 1 and GPU 2`. */
export function devicesText(devices: readonly RecordedDevice[], nameOf: DeviceNamer, format: Formatter): string {
  return format.list(devices.map(nameOf))
}

/** A CSS color. @param place among all devices, from 0 */
export function deviceColor({ backend }: Pick<DeviceView, 'backend'>, place: number): string {
  return backend === 'cpu' ? 'var(--dev-cpu)' : `var(--dev-${(place % COLORS) + 1})`
}

/** Vendor and brand words that most devices of a rig share; the model after them tells devices apart. */
const BRAND =
  /^(?:(?:NVIDIA|AMD|Intel) )?(?:GeForce (?=[RG]TX)|Radeon (?=RX|Pro)|Arc (?=[A-Z]\d)|(?=(?:Ryzen|EPYC|Core|Xeon) ))/
const MARKS = /\((?:R|TM)\)/g
const CLASS = / (?:\d+-Core Processor|CPU @ [\d.]+GHz)$/

/** For narrow places: `RTX 3070` for `NVIDIA GeForce RTX 3070`. */
export function shortName(name: string): string {
  return name.replace(MARKS, '').replace(BRAND, '').replace(CLASS, '')
}

/** The same function until devices or language change. */
export function useDeviceNamer(): DeviceNamer {
  const t = useText()
  const backends = useMiner(selectBackends)
  return useMemo(() => deviceNamer(backends, t), [backends, t])
}
