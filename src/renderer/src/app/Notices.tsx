// News that must not wait for somebody to look at the activity: what the signer did or refused without asking. Each goes by itself.
import { TriangleAlert, X } from 'lucide-react'
import { Toast } from 'radix-ui'
import { useEffect, useRef, useState } from 'react'
import type { ActivityView } from '../../../contract/app'
import { ForeignText } from '../components/HexText'
import { useText } from '../i18n/text'
import { useApp } from '../state/environment'
import styles from './Notices.module.css'
import { hrefOf } from './router'

const SHOWN_MS = 15_000
/** More at once would cover the screen; the activity has them all. */
const MOST = 3

/** Entries that came after this page was opened and that somebody should see. */
export function newNotices(entries: readonly ActivityView[], after: number): readonly ActivityView[] {
  return entries.filter(({ id, level, module }) => id > after && level !== 'info' && module.split('.')[0] === 'signer')
}

export function Notices() {
  const t = useText()
  const entries = useApp((state) => state.activity)
  const seen = useRef<number | null>(null)
  const [shown, setShown] = useState<readonly ActivityView[]>([])
  useEffect(() => {
    if (entries === null) return
    const last = entries.at(-1)?.id ?? -1
    // What was there before is no news; after a restart of the program ids begin anew.
    const after = seen.current === null || last < seen.current ? last : seen.current
    const fresh = newNotices(entries, after)
    seen.current = last
    if (fresh.length > 0) setShown((before) => [...before, ...fresh].slice(-MOST))
  }, [entries])
  const close = (id: number): void => setShown((before) => before.filter((entry) => entry.id !== id))
  return (
    <Toast.Provider duration={SHOWN_MS} label={t('ui.notice.label')}>
      {shown.map((entry) => (
        <Toast.Root
          key={entry.id}
          className={styles.notice}
          data-testid="notice"
          onOpenChange={(isOpen) => !isOpen && close(entry.id)}
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
