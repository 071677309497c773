// The head of every screen: its single h1, and its actions.
import type { ReactNode } from 'react'
import styles from './Screen.module.css'

interface ScreenProps {
  readonly title: ReactNode
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function Screen({ title, actions, children }: ScreenProps) {
  return (
    <div className={styles.screen}>
      <div className={styles.head}>
        <h1>{title}</h1>
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </div>
      {children}
    </div>
  )
}
