// Incidents and losses in words: the sentence, one word for a pin, and the mark of the cause.
import {
  CirclePause,
  CircleX,
  CloudOff,
  Fan,
  Gauge,
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
}

export const causeIcon = (cause: IncidentCause): LucideIcon => icons[cause]

type Told = Pick<IncidentView, 'cause' | 'values'>

/** Its sentence, with the miner's own terms in the reader's language; words of others stay as they are. */
export function incidentSentence({ cause, values }: Told, t: Text): string {
  const { trouble = '', answer = '', place = '', reason = '' } = values
  const said = String(answer)
  const spoken = {
    ...values,
    reason: cause === 'paused' ? pauseReasonText(String(reason).split('; '), t) : reason,
    place: place === 'core' || place === 'hotspot' || place === 'memory' ? t(`ui.gpus.${place}`) : place,
    what: isTrouble(trouble) ? t(`ui.trouble.${trouble}`) : said,
    answer: said === '' ? '' : `: ${said}`,
  }
  return t(`ui.incident.${cause}`, spoken)
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
