// What lies over the page and takes the keyboard: dialog, question, sheet. Focus stays in, and returns to what had it.
import { X } from 'lucide-react'
import { AlertDialog, Dialog } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import { useText } from '../../i18n/text'
import styles from './Dialog.module.css'

interface ModalProps {
  readonly title: ReactNode
  /** Said by a screen reader with the title; absent if the content explains itself. */
  readonly description?: ReactNode
  readonly testId: string
  readonly onClose: () => void
  readonly children?: ReactNode
}

/** Where the focus was when this opened; the page itself if that is gone. */
function useOpener() {
  const [opener] = useState(() => document.activeElement)
  return (event: Event): void => {
    event.preventDefault()
    const isThere = opener instanceof HTMLElement && opener !== document.body && opener.isConnected
    const target = isThere ? opener : document.getElementById('main')
    target?.focus({ preventScroll: true })
  }
}

/** A question that stops something: its answers are its last line, and the safe one has the focus. */
export function AlertModal({
  title,
  description,
  testId,
  onClose,
  actions,
}: ModalProps & { readonly actions: ReactNode }) {
  const goBack = useOpener()
  return (
    <AlertDialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={styles.overlay} />
        <AlertDialog.Content className={styles.dialog} data-testid={testId} onCloseAutoFocus={goBack}>
          <div>
            <AlertDialog.Title className={styles.title}>{title}</AlertDialog.Title>
            <AlertDialog.Description asChild>
              <div className={styles.body}>{description}</div>
            </AlertDialog.Description>
          </div>
          <div className={styles.actions}>{actions}</div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  )
}

/** The answer that changes nothing. */
export const ModalCancel = AlertDialog.Cancel

/** A button that closes the dialog it is in. */
export const ModalClose = Dialog.Close

interface DialogModalProps extends ModalProps {
  /** `plain`: its content draws the head itself, and the title is for screen readers. */
  readonly look?: 'dialog' | 'plain'
  readonly className?: string | undefined
}

export function DialogModal({
  title,
  description,
  testId,
  onClose,
  children,
  look = 'dialog',
  className,
}: DialogModalProps) {
  const t = useText()
  const goBack = useOpener()
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content
          className={className ?? styles.dialog}
          data-testid={testId}
          onCloseAutoFocus={goBack}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          {look === 'plain' ? (
            <Dialog.Title className="visually-hidden">{title}</Dialog.Title>
          ) : (
            <div className={styles.dialogHead}>
              <Dialog.Title className={styles.title}>{title}</Dialog.Title>
              <Dialog.Close className={styles.close} aria-label={t('ui.common.close')}>
                <X aria-hidden="true" />
              </Dialog.Close>
            </div>
          )}
          {description !== undefined && (
            <Dialog.Description asChild>
              <div className={styles.body}>{description}</div>
            </Dialog.Description>
          )}
          {children}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

interface SheetProps extends ModalProps {
  /** Beside the close button. */
  readonly tools?: ReactNode
  /** Below the title, above what scrolls. */
  readonly tabs?: ReactNode
  readonly foot?: ReactNode
}

/** At the right edge; on a phone it rises from below. */
export function Sheet({ title, testId, onClose, tools, tabs, foot, children }: SheetProps) {
  const t = useText()
  const goBack = useOpener()
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content
          className={styles.sheet}
          data-testid={testId}
          aria-describedby={undefined}
          onCloseAutoFocus={goBack}
        >
          <div className={styles.sheetHead}>
            <Dialog.Title>{title}</Dialog.Title>
            <div className={styles.actions}>
              {tools}
              <Dialog.Close className={styles.close} aria-label={t('ui.common.close')}>
                <X aria-hidden="true" />
              </Dialog.Close>
            </div>
          </div>
          {tabs !== undefined && <div className={styles.sheetTabs}>{tabs}</div>}
          <div className={styles.sheetBody}>{children}</div>
          {foot !== undefined && <div className={styles.sheetFoot}>{foot}</div>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
