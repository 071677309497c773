// The words for what is wrong with a pool.
import { type PoolDiagnosisView, type PoolTrouble, troubleActions } from '../../../../contract/fleet'
import type { Text } from '../../i18n/text'

/** Whether it is one of the contract's. */
export function isTrouble(text: string | number): text is PoolTrouble {
  return Object.hasOwn(troubleActions, text)
}

/** Two sentences: what is wrong, in the pool's words too, and what can be done about it. */
export function troubleText({ trouble, answer }: Pick<PoolDiagnosisView, 'trouble' | 'answer'>, t: Text): string {
  const what = t(`ui.trouble.${trouble}`)
  return `${what}${answer === '' ? '' : `: ${answer}`}. ${t(`ui.troubleAction.${troubleActions[trouble]}`)}.`
}
