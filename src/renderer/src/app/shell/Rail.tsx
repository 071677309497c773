// Navigation to all screens: a rail with labels, with icons only, or a bar at the bottom, by width.
import {
  Activity,
  Blocks,
  Cpu,
  Ellipsis,
  LayoutDashboard,
  type LucideIcon,
  Moon,
  Network,
  Server,
  Settings,
  Sun,
  Wallet,
} from 'lucide-react'
import { type FocusEvent, useId, useState } from 'react'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import type { NavItem, NavName } from '../../navigation/routes'
import { useApp, useEnvironment, useSigner } from '../../state/environment'
import { selectWaitingCount } from '../../state/stores/signer-store'
import { useTheme } from '../../state/theme'
import { Button } from '../../widgets/controls/Button'
import { NetworkBadge } from '../../widgets/facts/NetworkBadge'
import styles from './AppShell.module.css'
import { BrandMark } from './BrandMark'
import { useNavItems } from './use-nav-items'

const icons: Readonly<Record<NavName, LucideIcon>> = {
  overview: LayoutDashboard,
  gpus: Cpu,
  pools: Network,
  rigs: Server,
  node: Blocks,
  accounts: Wallet,
  activity: Activity,
  settings: Settings,
}

export function Rail({ active }: { readonly active: NavName | null }) {
  const t = useText()
  const listId = useId()
  const [isMore, setMore] = useState(false)
  const version = useApp((state) => state.info?.version ?? '')
  const items = useNavItems()
  const isSecondary = items.some((item) => item.name === active && item.isSecondary === true)
  const onBlur = (event: FocusEvent): void => {
    if (!event.currentTarget.contains(event.relatedTarget)) setMore(false)
  }
  return (
    <div className={styles.rail}>
      <a className={styles.brand} href={hrefOf('/')} aria-label={t('ui.shell.home')}>
        <BrandMark />
        <span>{t('ui.shell.name')}</span>
      </a>
      <nav
        className={styles.nav}
        aria-label={t('ui.shell.screens')}
        onBlur={onBlur}
        onKeyDown={(event) => event.key === 'Escape' && setMore(false)}
      >
        <ul id={listId} data-state={isMore ? 'open' : 'closed'}>
          {items.map((item) => (
            <NavLink key={item.name} item={item} active={active} onGo={() => setMore(false)} />
          ))}
          <li className={styles.more}>
            <button
              type="button"
              className={styles.link}
              data-testid="nav-more"
              data-state={isSecondary ? 'active' : undefined}
              aria-expanded={isMore}
              aria-controls={listId}
              onClick={() => setMore(!isMore)}
            >
              <Ellipsis aria-hidden="true" />
              <span className={styles.word}>{t('ui.nav.more')}</span>
            </button>
          </li>
        </ul>
      </nav>
      <div className={styles.foot}>
        <NetworkBadge />
        <ThemeButton version={version} />
      </div>
    </div>
  )
}

/** From dark to light and back; the menu and the settings also offer the system's. */
function ThemeButton({ version }: { readonly version: string }) {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const theme = useTheme()
  const Icon = theme === 'dark' ? Sun : Moon
  return (
    <Button
      variant="quiet"
      isBare
      data-testid="theme-switch"
      aria-label={t('ui.shell.theme')}
      title={version === '' ? t('ui.shell.theme') : `${t('ui.shell.theme')} · ${t('ui.shell.version', { version })}`}
      icon={<Icon aria-hidden="true" />}
      onClick={() => preferences.setState({ theme: theme === 'dark' ? 'light' : 'dark' })}
    />
  )
}

interface NavLinkProps {
  readonly item: NavItem
  readonly active: NavName | null
  readonly onGo: () => void
}

function NavLink({ item: { name, path, isSecondary = false }, active, onGo }: NavLinkProps) {
  const t = useText()
  const waitingCount = useSigner(selectWaitingCount)
  const Icon = icons[name]
  const count = name === 'accounts' ? waitingCount : 0
  return (
    <li className={isSecondary ? styles.secondary : undefined}>
      <a
        className={styles.link}
        href={hrefOf(path)}
        data-testid={`nav-${name}`}
        aria-current={active === name ? 'page' : undefined}
        onClick={onGo}
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
}
