// The sentence of an alarm, in the user's language.
import { poolTroubleSchema } from '../../../../contract/fleet'
import type { IncidentView } from '../../../../contract/incidents'
import type { Text } from '../../i18n/text'
import type { Alarm, Note } from '../../state/alarms/alarms'

export function alarmText({ kind, values }: Pick<Alarm | Note, 'kind' | 'values'>, t: Text): string {
  return t(`ui.alarm.${kind}`, {
    ...values,
    trouble: troubleText(values, t),
    core: t('ui.gpus.core'),
    hotspot: t('ui.gpus.hotspot'),
    memory: t('ui.gpus.memory'),
  })
}

/** In the reader's language; the miner's own words for a class that this page doesn't know. */
function troubleText({ trouble, text = '' }: IncidentView['values'], t: Text): string {
  const { data } = poolTroubleSchema.safeParse(trouble)
  return data === undefined ? String(text) : t(`ui.trouble.${data}`)
}
