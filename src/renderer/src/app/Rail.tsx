// The way to all screens: a rail with words, with icons only, or a bar at the bottom, by width.
import { Activity, Blocks, Cpu, LayoutDashboard, type LucideIcon, Settings, Wallet } from 'lucide-react'
import { useText } from '../i18n/text'
import { useApp, useSigner } from '../state/environment'
import { selectWaitingCount } from '../state/signer-store'
import styles from './AppShell.module.css'
import { BrandMark } from './BrandMark'
import { hrefOf } from './router'
import { type NavName, navItems } from './routes'

const icons: Readonly<Record<NavName, LucideIcon>> = {
  overview: LayoutDashboard,
  gpus: Cpu,
  node: Blocks,
  accounts: Wallet,
  activity: Activity,
  settings: Settings,
}

export function Rail({ active }: { readonly active: NavName | null }) {
  const t = useText()
  const waitingCount = useSigner(selectWaitingCount)
  const version = useApp((state) => state.info?.version ?? '')
  return (
    <div className={styles.rail}>
      <a className={styles.brand} href={hrefOf('/')} aria-label={t('ui.shell.home')}>
        <BrandMark />
        <span>{t('ui.shell.name')}</span>
      </a>
      <nav className={styles.nav} aria-label={t('ui.shell.screens')}>
        <ul>
          {navItems.map(({ name, path }) => {
            const Icon = icons[name]
            const count = name === 'accounts' ? waitingCount : 0
            return (
              <li key={name}>
                <a
                  className={styles.link}
                  href={hrefOf(path)}
                  data-testid={`nav-${name}`}
                  aria-current={active === name ? 'page' : undefined}
                >
                  <Icon aria-hidden="true" />
                  <span className={styles.word}>{t(`ui.nav.${name}`)}</span>
                  {count > 0 && (
                    <span className={styles.count}>
                      {count}
                      <span className="visually-hidden"> {t('ui.shell.waiting')}</span>
                    </span>
                  )}
                </a>
              </li>
            )
          })}
        </ul>
      </nav>
      {version !== '' && <p className={styles.railFoot}>{t('ui.shell.version', { version })}</p>}
    </div>
  )
}
