// One short name for the caller: what the system reports first, then what the caller claims.
import type { CallerView } from '../../../../contract/signer'
import type { Text } from '../../i18n/text'

const MAX_CHARACTERS = 60

export function callerName({ transport, origin, process, userAgent, remote }: CallerView, t: Text): string {
  if (transport === 'app') return t('ui.approval.thisApplication')
  const told = [origin, process?.name ?? '', userAgent].find((text) => text !== '')
  return (told ?? `${transport} ${remote}`).slice(0, MAX_CHARACTERS)
}
