// What a screen shows instead of content: loading, empty, failed.
import { CircleAlert, type LucideIcon } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { CopyButton } from '../../components/values/HexText'
import { type TextKey, useLanguage, useText } from '../../i18n/text'
import type { Answered } from '../../state/answers/use-answer'
import { useApp, useEnvironment, useIsOpen, useLiveNow } from '../../state/environment'
import { Button } from '../controls/Button'
import styles from './States.module.css'

const SKELETON_AFTER_MS = 150

/** Bars in the shape of the content to come; nothing at all for the first moment. */
export function Skeleton({ lines = 3, heightPx }: { readonly lines?: number; readonly heightPx?: number }) {
  const t = useText()
  const [isShown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SKELETON_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div className={styles.skeleton} role="status" aria-label={t('ui.common.loading')} style={{ minHeight: heightPx }}>
      {isShown &&
        Array.from({ length: lines }, (_, line) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: identical bars
          <span key={line} className={styles.bar} />
        ))}
    </div>
  )
}

interface AnswerStateProps {
  readonly answer: Pick<Answered<unknown>, 'value' | 'reason' | 'retry'>
  readonly failed?: TextKey
  readonly lines?: number
  readonly heightPx?: number
}

/** That an answer isn't there yet, or why it can't be read: nothing that is asked for disappears silently. */
export function AnswerState({ answer, failed = 'ui.error.part', ...room }: AnswerStateProps) {
  const t = useText()
  const { value, reason, retry } = answer
  if (reason !== '') return <ErrorState title={t(failed)} reason={reason} onRetry={() => void retry()} />
  return value === null ? <Skeleton {...room} /> : null
}

interface EmptyStateProps {
  readonly icon: LucideIcon
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** One line, and one button. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={styles.empty} data-empty="">
      <Icon aria-hidden="true" />
      <div className={styles.words}>
        <p className={styles.title}>{title}</p>
        {children !== undefined && (
          <p className={styles.text}>{typeof children === 'string' ? <OptionText text={children} /> : children}</p>
        )}
      </div>
      {action}
    </div>
  )
}

interface ErrorStateProps {
  readonly title: string
  readonly reason: string
  /** A read-only retry. It also happens automatically now and then, which is shown. */
  readonly onRetry?: () => void
}

const RETRY_AFTER_MS = 15_000

export function ErrorState({ title, reason, onRetry }: ErrorStateProps) {
  const { t, format } = useLanguage()
  const { clock } = useEnvironment()
  const version = useApp((state) => state.info?.version ?? '')
  const [since] = useState(() => clock.now())
  const details = [title, reason, format.instant(since), version].filter((part) => part !== '').join('\n')
  return (
    <div className={styles.error}>
      <CircleAlert aria-hidden="true" />
      <div>
        <div role="alert">
          <p className={styles.title}>{title}</p>
          <p className={styles.text}>{reason}</p>
        </div>
        <p className={styles.text} data-testid="error-since">
          {t('ui.error.since', { time: format.timeOfDay(since) })}
          {onRetry !== undefined && <NextTry onRetry={onRetry} />}
        </p>
      </div>
      <div className={styles.tools}>
        <CopyButton text={details} label={t('ui.error.details')} />
        {onRetry !== undefined && (
          <Button size="small" needsContact onClick={onRetry}>
            {t('ui.common.retry')}
          </Button>
        )}
      </div>
    </div>
  )
}

/** Counts down to the next attempt, and makes it. Without contact it makes none: the next contact retries anyway. */
function NextTry({ onRetry }: { readonly onRetry: () => void }) {
  const t = useText()
  const now = useLiveNow()
  const isOpen = useIsOpen()
  const [at, setAt] = useState(() => now + RETRY_AFTER_MS)
  useEffect(() => {
    if (!isOpen || now < at) return
    setAt(now + RETRY_AFTER_MS)
    onRetry()
  }, [isOpen, now, at, onRetry])
  if (!isOpen) return null
  return <> {t('ui.offline.retryIn', { seconds: Math.max(0, Math.ceil((at - now) / 1000)) })}</>
}

/** Finds an option's name with the bracket before it, without the sentence's own mark after it. */
const OPTION = /(\(?--[a-z](?:[\w.-]*\w)?)/

/** The names of options stay in one piece: a line breaks before `--rig-file`, never inside. */
function OptionText({ text }: { readonly text: string }) {
  const parts = text.split(OPTION)
  if (parts.length === 1) return text
  return parts.map((part, place) =>
    place % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same name may come twice
      <span key={place} style={{ whiteSpace: 'nowrap' }}>
        {part}
      </span>
    ),
  )
}
