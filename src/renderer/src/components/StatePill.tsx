// A state as mark and word: the shape says it without the colour.
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleX,
  Hammer,
  type LucideIcon,
  Pickaxe,
} from 'lucide-react'
import type { ReactNode } from 'react'
import styles from './StatePill.module.css'

export type Tone = 'ok' | 'warn' | 'danger' | 'info' | 'neutral' | 'accent'
export type Mark = 'mining' | 'building' | 'waiting' | 'paused' | 'error' | 'ok' | 'attention'

const marks: Readonly<Record<Mark, LucideIcon>> = {
  mining: Pickaxe,
  building: Hammer,
  waiting: CircleDashed,
  paused: CirclePause,
  error: CircleX,
  ok: CircleCheck,
  attention: CircleAlert,
}

export interface StatePillProps {
  readonly tone: Tone
  readonly mark: Mark
  readonly children: ReactNode
  readonly testId?: string
  readonly state?: string
}

export function StatePill({ tone, mark, children, testId, state }: StatePillProps) {
  const Icon = marks[mark]
  return (
    <span className={`${styles.pill} ${styles[tone]}`} data-testid={testId} data-state={state}>
      <Icon aria-hidden="true" />
      <span>{children}</span>
    </span>
  )
}
