// The sentence of an alarm, in the user's language.
import type { Text } from '../../i18n/text'
import type { Alarm } from '../../state/alarms/alarms'

export function alarmText({ kind, values }: Pick<Alarm, 'kind' | 'values'>, t: Text): string {
  return t(`ui.alarm.${kind}`, {
    ...values,
    core: t('ui.gpus.core'),
    hotspot: t('ui.gpus.hotspot'),
    memory: t('ui.gpus.memory'),
  })
}
