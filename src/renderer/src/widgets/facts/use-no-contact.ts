// Why nothing can be asked of the program now.
import { useText } from '../../i18n/text'
import { useApp } from '../../state/environment'
import { selectIsOpen } from '../../state/stores/app-store'

/** The reason in words; undefined while there is contact. */
export function useNoContact(): string | undefined {
  const t = useText()
  return useApp(selectIsOpen) ? undefined : t('ui.pause.noContact')
}
