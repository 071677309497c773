// The head of every screen: its single h1, what it is about in a few words, and its actions.

import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { hrefOf } from '../navigation/router'
import backLinkStyles from './BackLink.module.css'
import styles from './Screen.module.css'

interface ScreenProps {
  readonly title: ReactNode
  readonly sub?: ReactNode
  /** Before the title: the way back to the list. */
  readonly back?: ReactNode
  readonly actions?: ReactNode
  /** A figure below is the title that is seen. */
  readonly isTitleHidden?: boolean
  /** A form: as wide as can be read, in the middle of what is wider. */
  readonly isForm?: boolean
  readonly children: ReactNode
}

export function Screen({ title, sub, back, actions, isTitleHidden = false, isForm = false, children }: ScreenProps) {
  return (
    <div className={isForm ? `${styles.screen} ${styles.form}` : styles.screen}>
      {isTitleHidden ? (
        <h1 className="visually-hidden">{title}</h1>
      ) : (
        <div className={styles.head}>
          <div className={styles.title}>
            {back}
            <h1>{title}</h1>
            {sub !== undefined && <span className={styles.sub}>{sub}</span>}
          </div>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </div>
      )}
      {children}
    </div>
  )
}

export function BackLink({ route, children }: { readonly route: string; readonly children: ReactNode }) {
  return (
    <a className={backLinkStyles.back} href={hrefOf(route)}>
      <ArrowLeft aria-hidden="true" />
      {children}
    </a>
  )
}
