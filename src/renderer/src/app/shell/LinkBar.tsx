// Tells visitors on a view-only link that they can only look, until when, and what is hidden from them.
import { Eye } from 'lucide-react'
import { Banner } from '../../components/layout/Banner'
import { useFormat, useText } from '../../i18n/text'
import { useApp, useLiveNow } from '../../state/environment'

export function LinkBar() {
  const link = useApp((state) => state.info?.link ?? null)
  return link === null ? null : <Looking {...link} />
}

function Looking({ hides, expiresAt }: { readonly hides: boolean; readonly expiresAt: number }) {
  const t = useText()
  const format = useFormat()
  const now = useLiveNow()
  return (
    <Banner tone="info" icon={Eye} testId="link-bar">
      {t('ui.settings.looking', { duration: format.text('duration', Math.max(0, expiresAt - now) / 1000) })}{' '}
      {hides && t('ui.settings.lookingHides')}
    </Banner>
  )
}
