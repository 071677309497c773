// The frame of every screen: navigation, status bar, and the place for the screen itself.
import type { ReactNode } from 'react'
import { Boundary } from '../../components/faults/Boundary'
import { useText } from '../../i18n/text'
import type { NavName } from '../../navigation/routes'
import { useApp } from '../../state/environment'
import { selectCanControl } from '../../state/stores/app-store'
import { BrokenLine } from '../../widgets/faults/Broken'
import { Announcer } from './Announcer'
import styles from './AppShell.module.css'
import { Rail } from './Rail'
import { StatusBar } from './StatusBar'

interface AppShellProps {
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
      <Part>
        <Rail active={active} />
      </Part>
      <div className={styles.sheet}>
        <Part>
          <StatusBar />
        </Part>
        <Part>
          <Announcer />
        </Part>
        <main id="main" className={styles.main} tabIndex={-1}>
          {children}
        </main>
      </div>
    </div>
  )
}

/** One piece of the frame: if it fails, the others and the screen stay. */
function Part({ children }: { readonly children: ReactNode }) {
  return <Boundary fallback={(fault) => <BrokenLine {...fault} />}>{children}</Boundary>
}
