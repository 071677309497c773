// Above the title of a detail screen: the way back to its list.
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { hrefOf } from '../navigation/router'
import styles from './BackLink.module.css'

interface BackLinkProps {
  readonly route: string
  /** The name of the list. */
  readonly children: ReactNode
}

export function BackLink({ route, children }: BackLinkProps) {
  return (
    <a className={styles.back} href={hrefOf(route)}>
      <ArrowLeft aria-hidden="true" />
      {children}
    </a>
  )
}
