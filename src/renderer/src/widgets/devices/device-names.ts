// What a device is called and how it is colored: the same in every chart, tile and table.
import type { DeviceView } from '../../../../contract/miner'
import type { Formatter } from '../../format/formatter'
import type { Text } from '../../i18n/text'

/** Cool hues, so that warm always means lost. */
const COLORS = 8

/** `GPU 2`, or `CPU` for the processor. */
export function deviceLabel({ backend, index }: Pick<DeviceView, 'backend' | 'index'>, t: Text): string {
  return backend === 'cpu' ? t('ui.gpus.cpu') : t('ui.gpus.gpuName', { index })
}

/** `CPU`, or `GPU 1 and GPU 2`. @param cpu index of the processor; null if it doesn't mine */
export function devicesText(indexes: readonly number[], cpu: number | null, t: Text, format: Formatter): string {
  return format.list(indexes.map((index) => deviceLabel({ index, backend: index === cpu ? 'cpu' : 'cuda' }, t)))
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
