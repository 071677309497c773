// Explains what a restart stops before requesting it.

import { useText } from '../../i18n/text'
import { useApp, useSigner } from '../../state/environment'
import { selectWaitingCount } from '../../state/stores/signer-store'
import { ConfirmDialog } from './ConfirmDialog'

interface RestartDialogProps {
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export function RestartDialog({ onConfirm, onClose }: RestartDialogProps) {
  const t = useText()
  // a program with a window quits and the system starts it again, so nothing is left that could return
  const isHeadless = useApp((state) => state.info?.headless ?? true)
  const waiting = useSigner(selectWaitingCount)
  return (
    <ConfirmDialog
      title={t('ui.settings.restartTitle')}
      action={t('ui.settings.restart')}
      testId="restart-dialog"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>{t('ui.settings.restartMining')}</p>
      <p>{t('ui.settings.restartServices')}</p>
      {waiting > 0 && <p>{t('ui.settings.restartRequests', { count: waiting })}</p>}
      <p>{t(isHeadless ? 'ui.settings.restartBack' : 'ui.settings.restartWindow')}</p>
    </ConfirmDialog>
  )
}
