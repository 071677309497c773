// One short name for a caller, apart from its full text: the dashboard needs it at once.
import type { CallerView } from '../../../../contract/signer'
import type { Text } from '../../i18n/text'

const MAX_SHORT = 60

/** One short name: what the caller claims of its page, what the system reports, what it claims of its program. */
export function callerName({ transport, origin, process, userAgent, remote }: CallerView, t: Text): string {
  if (transport === 'app') return t('ui.approval.thisApplication')
  const told = [origin, process?.name ?? '', userAgent].find((text) => text !== '')
  return (told ?? `${transport} ${remote}`).slice(0, MAX_SHORT)
}
