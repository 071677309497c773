// What replaces a part of the page that could not be rendered or fetched.
import { RotateCw, TriangleAlert } from 'lucide-react'
import { useEffect } from 'react'
import type { Fault } from '../../components/faults/Boundary'
import { reloadOnce } from '../../components/faults/page-reload'
import { Note } from '../../components/layout/Note'
import { PartUnavailableError } from '../../components/lazy-part'
import { useText } from '../../i18n/text'
import { useEnvironment, useIsOpen } from '../../state/environment'
import { Button } from '../controls/Button'
import { ErrorState } from '../facts/States'
import styles from './Broken.module.css'

/** In place of a screen. A file that can't be fetched although there is contact is gone: reloads the page. */
export function BrokenScreen({ error, retry }: Fault) {
  const t = useText()
  const { clock } = useEnvironment()
  const isOpen = useIsOpen()
  const isMissing = error instanceof PartUnavailableError
  useEffect(() => {
    if (isMissing && isOpen) reloadOnce({ storage: sessionStorage, clock, reload: () => location.reload() })
  }, [isMissing, isOpen, clock])
  return (
    <div className={styles.screen} data-testid="broken-screen">
      <h1>{t(isMissing ? 'ui.fault.screenMissing' : 'ui.fault.screen')}</h1>
      <ErrorState
        title={t(isMissing ? 'ui.fault.missingHint' : 'ui.fault.hint')}
        reason={error.message}
        onRetry={retry}
      />
    </div>
  )
}

/** In place of a part of the frame around the screens. */
export function BrokenLine({ error, retry }: Fault) {
  const t = useText()
  return (
    <Note
      tone="danger"
      icon={TriangleAlert}
      role="status"
      testId="broken-line"
      action={
        <Button size="small" onClick={retry}>
          {t('ui.common.retry')}
        </Button>
      }
    >
      {t('ui.fault.panel')} {error.message}
    </Note>
  )
}

/** When nothing else of the page is left. Uses only texts, since anything else may be what failed. */
export function BrokenPage({ error }: { readonly error: Error }) {
  const t = useText()
  return (
    <main className={styles.page} data-testid="broken-page">
      <TriangleAlert aria-hidden="true" />
      <h1>{t('ui.fault.page')}</h1>
      <p role="alert">{t('ui.fault.pageHint')}</p>
      <pre className={styles.reason}>{error.message}</pre>
      <button type="button" className={styles.reload} onClick={() => location.reload()}>
        <RotateCw aria-hidden="true" />
        {t('ui.fault.reload')}
      </button>
    </main>
  )
}

/** In place of the approval: what can't be read in full can't be approved. */
export function BrokenApproval({ error, retry }: Fault) {
  const t = useText()
  return (
    <main className={styles.page} data-testid="broken-approval">
      <TriangleAlert aria-hidden="true" />
      <h1>{t('ui.fault.approval')}</h1>
      <p role="alert">{t('ui.fault.approvalHint')}</p>
      <pre className={styles.reason}>{error.message}</pre>
      <button type="button" className={styles.reload} onClick={retry}>
        <RotateCw aria-hidden="true" />
        {t('ui.common.retry')}
      </button>
    </main>
  )
}
