// A titled panel: every screen consists of them.
import { type ReactNode, useId } from 'react'
import { Boundary } from '../faults/Boundary'
import { BrokenPanel } from '../faults/BrokenPanel'
import styles from './Card.module.css'

export interface CardProps {
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

/** Label and value pairs, one per line. */
export function Facts({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.facts}>{children}</dl>
}

export function Fact({ label, children }: { readonly label: ReactNode; readonly children: ReactNode }) {
  return (
    <div className={styles.fact}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}
