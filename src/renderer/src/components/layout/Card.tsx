// A titled panel: every screen consists of them.
import { CircleAlert } from 'lucide-react'
import { type ReactNode, Suspense, useId, useState } from 'react'
import { useText } from '../../i18n/text'
import { Boundary, type Fault } from '../faults/Boundary'
import brokenPanelStyles from '../faults/BrokenPanel.module.css'
import styles from './Card.module.css'
import statStyles from './Stat.module.css'

interface CardProps {
  readonly title: string
  readonly children: ReactNode
  /** At the end of the title line: a link, a pill, a switch. */
  readonly aside?: ReactNode
  readonly testId?: string
  /** No padding around the content: for tables. */
  readonly isFlush?: boolean
  readonly className?: string | undefined
}

export function Card({ title, children, aside, testId, isFlush = false, className = '' }: CardProps) {
  const titleId = useId()
  return (
    <section className={`${styles.card} ${className}`} aria-labelledby={titleId} data-testid={testId}>
      <div className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        {aside}
      </div>
      <div className={isFlush ? styles.flush : styles.body}>
        <Boundary fallback={(fault) => <BrokenPanel {...fault} />}>{children}</Boundary>
      </div>
    </section>
  )
}

interface FactsProps {
  readonly children: ReactNode
  /** Few and short: in a row, each value under its label, where there is room. */
  readonly isRow?: boolean
}

/** Label and value pairs, one per line. */
export function Facts({ children, isRow = false }: FactsProps) {
  return <dl className={isRow ? `${styles.facts} ${styles.row}` : styles.facts}>{children}</dl>
}

interface FactProps {
  readonly label: ReactNode
  readonly children: ReactNode
  /** What the value is made of. With it the label is a button that shows this. */
  readonly why?: ReactNode
}

export function Fact({ label, children, why }: FactProps) {
  if (why !== undefined) return <ExplainedFact label={label} value={children} why={why} />
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface ExplainedFactProps {
  readonly label: ReactNode
  readonly value: ReactNode
  readonly why: ReactNode
}

function ExplainedFact({ label, value, why }: ExplainedFactProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.fact} data-open={isOpen || undefined}>
      <dt>
        <WhyButton isOpen={isOpen} onToggle={() => setOpen(!isOpen)}>
          {label}
        </WhyButton>
      </dt>
      <dd>{value}</dd>
      {isOpen && (
        <dd className={styles.because}>
          <Because>{why}</Because>
        </dd>
      )}
    </div>
  )
}

/** What a value is made of; empty until it is loaded. */
export function Because({ children }: { readonly children: ReactNode }) {
  return (
    <div data-testid="because">
      <Suspense fallback={null}>{children}</Suspense>
    </div>
  )
}

export interface WhyButtonProps {
  readonly isOpen: boolean
  readonly onToggle: () => void
  readonly children: ReactNode
}

/** The name of a value, or the value itself, that shows what the value is made of. */
export function WhyButton({ isOpen, onToggle, children }: WhyButtonProps) {
  return (
    <button type="button" className={styles.why} aria-expanded={isOpen} onClick={onToggle}>
      {children}
    </button>
  )
}

/** What replaces the content of a card that could not be rendered. */
export function BrokenPanel({ error, retry }: Fault) {
  const t = useText()
  return (
    <div className={brokenPanelStyles.panel} data-testid="broken-panel">
      <CircleAlert aria-hidden="true" />
      <div role="alert">
        <p>{t('ui.fault.panel')}</p>
        <p className={brokenPanelStyles.reason}>{error.message}</p>
      </div>
      <button type="button" className={brokenPanelStyles.retry} onClick={retry}>
        {t('ui.common.retry')}
      </button>
    </div>
  )
}

export function Stats({ children }: { readonly children: ReactNode }) {
  return <dl className={statStyles.stats}>{children}</dl>
}

interface StatProps {
  readonly label: ReactNode
  readonly children: ReactNode
  readonly unit?: ReactNode
  readonly testId?: string
}

export function Stat({ label, children, unit, testId }: StatProps) {
  return (
    <div className={statStyles.stat} data-testid={testId}>
      <dt>{label}</dt>
      <dd>
        {children}
        {unit !== undefined && <span className={statStyles.unit}>{unit}</span>}
      </dd>
    </div>
  )
}
