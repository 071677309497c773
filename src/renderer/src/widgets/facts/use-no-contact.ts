// Why the program can't be reached now.
import { useText } from '../../i18n/text'
import { useApp } from '../../state/environment'
import { selectIsOpen } from '../../state/stores/app-store'

/** The reason in words; undefined while there is contact. */
export function useNoContact(): string | undefined {
  const t = useText()
  return useApp(selectIsOpen) ? undefined : t('ui.pause.noContact')
}
