// Asks before stopping work or doing something that can't be undone. The safe answer has the focus.
import { AlertDialog } from 'radix-ui'
import type { ReactNode } from 'react'
import styles from '../../components/layout/Dialog.module.css'
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

/** Open while it is rendered. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, action, isDanger = false, testId, onConfirm, onClose } = props
  const t = useText()
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={styles.overlay} />
        <AlertDialog.Content className={styles.dialog} data-testid={testId}>
          <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
          <AlertDialog.Description asChild>
            <div className={styles.body}>{children}</div>
          </AlertDialog.Description>
          <div className={styles.actions}>
            <AlertDialog.Cancel asChild>
              <Button>{t('ui.common.cancel')}</Button>
            </AlertDialog.Cancel>
            <Button
              variant={isDanger ? 'danger' : 'primary'}
              data-testid={`${testId}-confirm`}
              onClick={() => {
                onConfirm()
                onClose()
              }}
            >
              {action}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}
