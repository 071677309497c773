// Figures in a row, each under its name: at most six.
import type { ReactNode } from 'react'
import styles from './Stat.module.css'

export function Stats({ children }: { readonly children: ReactNode }) {
  return <dl className={styles.stats}>{children}</dl>
}

interface StatProps {
  readonly label: ReactNode
  /** The figure. */
  readonly children: ReactNode
  /** Beside it, smaller. */
  readonly unit?: ReactNode
  readonly testId?: string
}

export function Stat({ label, children, unit, testId }: StatProps) {
  return (
    <div className={styles.stat} data-testid={testId}>
      <dt>{label}</dt>
      <dd>
        {children}
        {unit !== undefined && <span className={styles.unit}>{unit}</span>}
      </dd>
    </div>
  )
}
