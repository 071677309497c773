// The frame of every screen: navigation, header, banners, and the place for the screen itself.
import type { ReactNode } from 'react'
import { useText } from '../i18n/text'
import { selectCanControl } from '../state/app-store'
import { useApp } from '../state/environment'
import { Announcer } from './Announcer'
import styles from './AppShell.module.css'
import { Banners } from './Banners'
import { Header } from './Header'
import { Rail } from './Rail'
import type { NavName } from './routes'

export interface AppShellProps {
  readonly active: NavName | null
  readonly children: ReactNode
}

export function AppShell({ active, children }: AppShellProps) {
  const t = useText()
  const canControl = useApp(selectCanControl)
  return (
    <div className={styles.shell} data-testid="shell" data-state={canControl ? 'control' : 'read'}>
      <button type="button" className={styles.skip} onClick={() => document.getElementById('main')?.focus()}>
        {t('ui.shell.skip')}
      </button>
      <Rail active={active} />
      <div className={styles.column}>
        <Header />
        <Banners />
        <Announcer />
        <main id="main" className={styles.main} tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  )
}
