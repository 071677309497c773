// Why a rig refused a command: what to fix if the cause is known, otherwise the rig's own words.
import type { Text } from '../../../i18n/text'
import type { Refusal } from './rig-controls'

export function refusalText({ status, error }: Refusal, t: Text): string {
  if (status === 401) return t('ui.rigs.refused.token')
  if (status === 403) return t('ui.rigs.refused.control')
  if (status === 404) return t('ui.rigs.refused.monitor')
  if (status === null) return error === '' ? t('ui.pause.noContact') : t('ui.rigs.refused.contact', { error })
  return error
}
