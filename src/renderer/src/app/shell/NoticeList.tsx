// The notices over the page: each disappears by itself or on a click. Loaded with the first notice.
import { TriangleAlert, X } from 'lucide-react'
import { Toast } from 'radix-ui'
import type { ActivityView } from '../../../../contract/app'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import styles from './Notices.module.css'

const SHOWN_MS = 15_000

export interface NoticeListProps {
  readonly entries: readonly ActivityView[]
  readonly onClose: (id: number) => void
}

export function NoticeList({ entries, onClose }: NoticeListProps) {
  const t = useText()
  return (
    <Toast.Provider duration={SHOWN_MS} label={t('ui.notice.label')}>
      {entries.map((entry) => (
        <Toast.Root
          key={entry.id}
          className={styles.notice}
          data-testid="notice"
          onOpenChange={(isOpen) => !isOpen && onClose(entry.id)}
        >
          <TriangleAlert aria-hidden="true" />
          <div>
            <Toast.Title className={styles.title}>
              <ForeignText text={entry.message} />
            </Toast.Title>
            <Toast.Description className={styles.text}>
              <ForeignText text={entry.fields.map(({ name, value }) => `${name}: ${value}`).join(' · ')} />
            </Toast.Description>
            <a href={hrefOf('/activity')}>{t('ui.notice.details')}</a>
          </div>
          <Toast.Close className={styles.close} aria-label={t('ui.common.close')}>
            <X aria-hidden="true" />
          </Toast.Close>
        </Toast.Root>
      ))}
      <Toast.Viewport className={styles.viewport} />
    </Toast.Provider>
  )
}
