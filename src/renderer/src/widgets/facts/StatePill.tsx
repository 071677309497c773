// A state as mark and word: the shape distinguishes it without color. Without contact, no state is shown as good.
import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleMinus,
  CirclePause,
  CircleX,
  Hammer,
  type LucideIcon,
  Pickaxe,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useIsOpen } from '../../state/environment'
import styles from './StatePill.module.css'

export type Tone = 'ok' | 'warn' | 'danger' | 'info' | 'neutral' | 'accent'
export type Mark = 'mining' | 'building' | 'waiting' | 'paused' | 'error' | 'ok' | 'attention' | 'excluded'

const marks: Readonly<Record<Mark, LucideIcon>> = {
  mining: Pickaxe,
  building: Hammer,
  waiting: CircleDashed,
  paused: CirclePause,
  error: CircleX,
  ok: CircleCheck,
  attention: CircleAlert,
  excluded: CircleMinus,
}

interface StatePillProps {
  readonly tone: Tone
  readonly mark: Mark
  readonly children: ReactNode
  readonly testId?: string
  readonly state?: string
}

export function StatePill({ tone, mark, children, testId, state }: StatePillProps) {
  const isOpen = useIsOpen()
  const isClaim = tone === 'ok' && !isOpen
  const Icon = marks[isClaim ? 'waiting' : mark]
  return (
    <span className={`${styles.pill} ${styles[isClaim ? 'neutral' : tone]}`} data-testid={testId} data-state={state}>
      <Icon aria-hidden="true" />
      <span>{children}</span>
    </span>
  )
}
