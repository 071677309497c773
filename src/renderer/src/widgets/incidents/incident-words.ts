// Incidents and losses in words: the sentence, one word for a pin, and the mark of the cause.
import {
  CirclePause,
  CircleX,
  CloudOff,
  Fan,
  Gauge,
  GitCompare,
  Layers,
  type LucideIcon,
  OctagonX,
  Power,
  RotateCw,
  Save,
  ServerOff,
  Thermometer,
  Timer,
  Unplug,
} from 'lucide-react'
import type { IncidentCause, IncidentView } from '../../../../contract/incidents'
import type { LossRowView } from '../../../../contract/money'
import type { Text } from '../../i18n/text'
import { type DeviceNamer, deviceLabel } from '../devices/device-names'
import { isTrouble, pauseReasonText } from '../facts/pause-reason'

const icons: Readonly<Record<IncidentCause, LucideIcon>> = {
  'device-error': CircleX,
  'device-silent': RotateCw,
  'wrong-results': CircleX,
  hot: Thermometer,
  fan: Fan,
  'power-limit': Gauge,
  slow: Gauge,
  'rejected-shares': OctagonX,
  'sensor-lost': CloudOff,
  'heat-unseen': Thermometer,
  'no-work': Unplug,
  'no-share': Timer,
  'pool-lost': Unplug,
  'pool-trouble': OctagonX,
  paused: CirclePause,
  building: Layers,
  off: Power,
  'rig-offline': ServerOff,
  'rig-stale': Timer,
  'rig-hot': Thermometer,
  'rig-slow': Gauge,
  'rig-pool': OctagonX,
  'rig-silent': Timer,
  'rig-rejected': OctagonX,
  'record-unsaved': Save,
  'beside-differs': GitCompare,
  'beside-unknown': Unplug,
}

export const causeIcon = (cause: IncidentCause): LucideIcon => icons[cause]

type Told = Pick<IncidentView, 'cause' | 'devices' | 'values'>

/** Its sentence, with the miner's own terms in the reader's language; words of others stay as they are. */
export function incidentSentence({ cause, devices, values }: Told, t: Text, nameOf: DeviceNamer): string {
  const { trouble = '', answer = '', place = '', reason = '', text = '', what = text } = values
  const said = String(answer)
  const spoken = {
    ...values,
    device: deviceText({ devices, values }, t, nameOf),
    reason: cause === 'paused' ? pauseReasonText(String(reason).split('; '), t) : reason,
    place: place === 'core' || place === 'hotspot' || place === 'memory' ? t(`ui.gpus.${place}`) : place,
    what: isTrouble(trouble) ? t(`ui.trouble.${trouble}`) : what,
    answer: said === '' ? '' : `: ${said}`,
  }
  return t(`ui.incident.${cause}`, spoken)
}

/** Incidents of older versions don't say what kind their device is. */
function deviceText({ devices, values }: Omit<Told, 'cause'>, t: Text, nameOf: DeviceNamer): string {
  const { index, backend } = values
  if (typeof index !== 'number') return ''
  if (backend !== undefined) return deviceLabel({ index, backend }, t)
  return nameOf(devices.find((each) => each.index === index) ?? { index })
}

/** One word, for a pin. */
export const incidentShort = ({ cause }: Pick<Told, 'cause'>, t: Text): string => t(`ui.incidentShort.${cause}`)

/** What took the hashes. */
export function lossSentence({ cause, reason }: Pick<LossRowView, 'cause' | 'reason'>, t: Text): string {
  if (cause === 'paused' && reason !== '')
    return t('ui.loss.pausedBy', { reason: pauseReasonText(reason.split('; '), t) })
  if (cause === 'no-work' && reason !== '') return t('ui.loss.noWorkFrom', { host: reason })
  return t(`ui.loss.${cause}`)
}
