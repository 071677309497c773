// The list of keys.
import { X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useText } from '../i18n/text'
import styles from './KeyHelp.module.css'
import { navItems } from './routes'

export interface KeyHelpProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

export function KeyHelp({ isOpen, onOpenChange }: KeyHelpProps) {
  const t = useText()
  return (
    <Dialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <Dialog.Portal>
        <Dialog.Overlay className={styles.overlay} />
        <Dialog.Content className={styles.dialog} data-testid="key-help" aria-describedby={undefined}>
          <Dialog.Title className={styles.title}>{t('ui.keys.title')}</Dialog.Title>
          <dl>
            {navItems.map(({ name, key }) => (
              <div key={name} className={styles.row}>
                <dt>{t(`ui.nav.${name}`)}</dt>
                <dd>
                  <kbd>g</kbd> <kbd>{key}</kbd>
                </dd>
              </div>
            ))}
            <div className={styles.row}>
              <dt>{t('ui.palette.title')}</dt>
              <dd>
                <kbd>Ctrl</kbd> <kbd>K</kbd>
              </dd>
            </div>
            <div className={styles.row}>
              <dt>{t('ui.keys.filter')}</dt>
              <dd>
                <kbd>/</kbd>
              </dd>
            </div>
            <div className={styles.row}>
              <dt>{t('ui.keys.settings')}</dt>
              <dd>
                <kbd>Ctrl</kbd> <kbd>,</kbd>
              </dd>
            </div>
            <div className={styles.row}>
              <dt>{t('ui.keys.title')}</dt>
              <dd>
                <kbd>?</kbd>
              </dd>
            </div>
          </dl>
          <Dialog.Close className={styles.close} aria-label={t('ui.common.close')}>
            <X aria-hidden="true" />
          </Dialog.Close>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
