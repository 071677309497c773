// A figure in a table with a thin bar under it, as long as its share of the largest.
import type { CSSProperties, ReactNode } from 'react'
import styles from './CellBar.module.css'

export interface CellBarProps {
  /** 0..1; null = unknown. */
  readonly part: number | null
  /** Color only where it falls short. */
  readonly tone?: 'plain' | 'warn' | 'danger'
  readonly children: ReactNode
}

export function CellBar({ part, tone = 'plain', children }: CellBarProps) {
  const style = { '--part': `${Math.round(Math.max(0, Math.min(1, part ?? 0)) * 1000) / 10}%` } as CSSProperties
  return (
    <span className={`${styles.bar} ${tone === 'plain' ? '' : styles[tone]}`} style={style}>
      {children}
    </span>
  )
}
