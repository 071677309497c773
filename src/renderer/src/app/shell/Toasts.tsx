// Short messages in the corner, and what the signer did or refused without asking: each disappears by itself.
import { ServerOff } from 'lucide-react'
import { Suspense, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import type { ActivityView } from '../../../../contract/app'
import { QuietBar } from '../../approval/QuietBar'
import { Note } from '../../components/layout/Note'
import { lazyPart } from '../../components/lazy-part'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { useApp, useControl, useEnvironment, useSigner } from '../../state/environment'
import { Button } from '../../widgets/controls/Button'
import { ControlMessage } from '../../widgets/controls/PauseButton'
import styles from './Toasts.module.css'

// With the texts of all findings.
const RefusedCalls = lazyPart(async () => (await import('../../approval/RefusedCalls')).RefusedCalls)
const ToastList = lazyPart(async () => (await import('./ToastList')).ToastList)
const NOTICE_SECONDS = 15
const UNDO_SECONDS = 10

export function Toasts() {
  const { toasts } = useEnvironment().stores
  const isAny = useStore(toasts.store, ({ shown }) => shown.length > 0)
  const isAnyRefused = useSigner(
    ({ requests }) => (requests?.overflowed ?? 0) > 0 || (requests?.refusals ?? []).length > 0,
  )
  const wasAny = useRef(false)
  wasAny.current ||= isAny
  useNotices()
  usePausedToast()
  return (
    <div className={styles.viewport}>
      <RigFailures />
      <ControlMessage target="all" />
      <QuietBar />
      {isAnyRefused && (
        <Suspense fallback={null}>
          <RefusedCalls />
        </Suspense>
      )}
      {wasAny.current && (
        <Suspense fallback={null}>
          <ToastList className={styles.list} />
        </Suspense>
      )}
    </div>
  )
}

/** Entries since this page was opened that the user should see. */
function newNotices(entries: readonly ActivityView[], after: number): readonly ActivityView[] {
  return entries.filter(({ id, level, module }) => id > after && level !== 'info' && module.split('.')[0] === 'signer')
}

function useNotices(): void {
  const t = useText()
  const { toasts } = useEnvironment().stores
  const entries = useApp((state) => state.activity)
  const seen = useRef<number | null>(null)
  useEffect(() => {
    if (entries === null) return
    const last = entries.at(-1)?.id ?? -1
    // Existing entries aren't news. After a restart of the program, ids start over.
    const after = seen.current === null || last < seen.current ? last : seen.current
    seen.current = last
    for (const { message, fields } of newNotices(entries, after))
      toasts.show({
        title: message,
        text: fields.map(({ name, value }) => `${name}: ${value}`).join(' · '),
        tone: 'warn',
        seconds: NOTICE_SECONDS,
        action: { label: t('ui.notice.details'), testId: 'notice-details', route: '/activity' },
        testId: 'notice',
      })
  }, [entries, toasts, t])
}

/** Offers to undo "pause all" with one press for ten seconds. */
function usePausedToast(): void {
  const t = useText()
  const { toasts, pauseAll } = useEnvironment().stores
  const control = useControl('all')
  const shown = useRef<number | null>(null)
  const hasPaused = control.kind === 'confirmed' && control.wanted
  const hasResumed = control.kind === 'pending' && !control.wanted
  useEffect(() => {
    if (hasPaused)
      shown.current = toasts.show({
        title: t('ui.pause.allPaused'),
        seconds: UNDO_SECONDS,
        action: { label: t('ui.pause.undo'), testId: 'pause-undo', run: () => pauseAll.undo() },
        testId: 'paused-bar',
      })
    if (hasResumed && shown.current !== null) toasts.close(shown.current)
  }, [hasPaused, hasResumed, toasts, pauseAll, t])
}

/** Other rigs that failed a command sent to all. */
function RigFailures() {
  const t = useText()
  const { pauseAll } = useEnvironment().stores
  const failures = useStore(pauseAll.store, (state) => state.failures)
  if (failures.length === 0) return null
  return (
    <Note
      tone="danger"
      icon={ServerOff}
      role="alert"
      testId="rig-failures"
      action={
        <Button size="small" variant="quiet" onClick={pauseAll.forgetFailures}>
          {t('ui.common.close')}
        </Button>
      }
    >
      <ForeignText text={failures.map(({ rig, error }) => `${rig}: ${error}`).join(' · ')} />
    </Note>
  )
}
