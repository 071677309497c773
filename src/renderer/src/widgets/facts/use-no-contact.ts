// Why the program can't be reached now.
import { useText } from '../../i18n/text'
import { useIsOpen } from '../../state/environment'

/** The reason in words; undefined while there is contact. */
export function useNoContact(): string | undefined {
  const t = useText()
  return useIsOpen() ? undefined : t('ui.pause.noContact')
}
