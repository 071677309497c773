// Asks before stopping work or doing something that can't be undone. The safe answer has the focus.
import type { ReactNode } from 'react'
import { AlertModal, ModalCancel } from '../../components/layout/Modal'
import { useText } from '../../i18n/text'
import { Button } from './Button'

interface ConfirmDialogProps {
  readonly title: string
  /** What will happen, and whether it can be undone. */
  readonly children: ReactNode
  /** The verb: what the button does. */
  readonly action: string
  readonly isDanger?: boolean
  readonly testId: string
  readonly onConfirm: () => void
  readonly onClose: () => void
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, isDanger = false, testId, onConfirm, onClose } = props
  const t = useText()
  return (
    <AlertModal
      title={title}
      description={children}
      testId={testId}
      onClose={onClose}
      actions={
        <>
          <ModalCancel asChild>
            <Button variant="quiet">{t('ui.common.cancel')}</Button>
          </ModalCancel>
          <Button
            variant={isDanger ? 'danger' : 'strong'}
            data-testid={`${testId}-confirm`}
            onClick={() => {
              onConfirm()
              onClose()
            }}
          >
            {action}
          </Button>
        </>
      }
    />
  )
}
