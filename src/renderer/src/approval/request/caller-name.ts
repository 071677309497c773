// One short name for whoever asks: what the system tells first, then what it says itself.
import type { CallerView } from '../../../../contract/signer'
import type { Text } from '../../i18n/text'

const MAX_CHARACTERS = 60

export function callerName({ transport, origin, process, userAgent, remote }: CallerView, t: Text): string {
  if (transport === 'app') return t('ui.approval.thisApplication')
  const told = [origin, process?.name ?? '', userAgent].find((text) => text !== '')
  return (told ?? `${transport} ${remote}`).slice(0, MAX_CHARACTERS)
}
