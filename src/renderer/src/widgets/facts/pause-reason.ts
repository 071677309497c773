// Why a device is paused, in words: the miner's API has fixed terms for its reasons.
import { type PoolDiagnosisView, type PoolTrouble, troubleActions } from '../../../../contract/pools'
import type { Text, TextKey } from '../../i18n/text'

const words: Readonly<Record<string, TextKey>> = {
  Overheating: 'ui.pauseReason.overheating',
  'Api request': 'ui.pauseReason.api',
  'Farm suspended': 'ui.pauseReason.farm',
  'Insufficient GPU memory': 'ui.pauseReason.memory',
  'Epoch initialization error': 'ui.pauseReason.epoch',
  'Device error': 'ui.pauseReason.device',
  Schedule: 'ui.pauseReason.schedule',
  'On battery': 'ui.pauseReason.battery',
  'Low efficiency': 'ui.pauseReason.efficiency',
  'Not selected': 'ui.pauseReason.unselected',
}

const BETWEEN = '; '

/** The API's terms in words; an unknown one stays as the miner wrote it. */
export function pauseReasonText(reasons: readonly string[], t: Text): string {
  const spoken = reasons.map((reason) => {
    const key = Object.hasOwn(words, reason) ? words[reason] : undefined
    return key === undefined ? reason : t(key)
  })
  return spoken.join(BETWEEN)
}

/** The same for several terms joined in one text, as a health finding has them. */
export function joinedReasonText(joined: string, t: Text): string {
  return pauseReasonText(joined.split(BETWEEN), t)
}

/** Whether it is one of the contract's. */
export function isTrouble(text: string | number): text is PoolTrouble {
  return Object.hasOwn(troubleActions, text)
}

/** Two sentences: what is wrong, in the pool's words too, and what can be done about it. */
export function troubleText({ trouble, answer }: Pick<PoolDiagnosisView, 'trouble' | 'answer'>, t: Text): string {
  const what = t(`ui.trouble.${trouble}`)
  return `${what}${answer === '' ? '' : `: ${answer}`}. ${t(`ui.troubleAction.${troubleActions[trouble]}`)}.`
}
