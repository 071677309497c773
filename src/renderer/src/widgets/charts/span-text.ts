// A stretch of a device's timeline in words.
import type { TimelineSpan } from '../../../../contract/miner'
import type { Text } from '../../i18n/text'

/** `Paused: Overheating`; the reason in the miner's own words. */
export function spanText({ kind, reason }: Pick<TimelineSpan, 'kind' | 'reason'>, t: Text): string {
  const word = t(`ui.events.${kind}`)
  return reason === '' ? word : t('ui.events.with', { word, reason })
}
