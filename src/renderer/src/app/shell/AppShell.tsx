// The frame of every screen: navigation, status bar, and the place for the screen itself.

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
import { type FocusEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { Boundary } from '../../components/faults/Boundary'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import type { NavItem, NavName } from '../../navigation/routes'
import {
  useApp,
  useCanControl,
  useEnvironment,
  useIsOpen,
  useMiner,
  useOperation,
  useSigner,
} from '../../state/environment'
import { selectIsMonitor, selectMiningCount, selectSilentRigs } from '../../state/stores/program-store'
import { selectWaitingCount } from '../../state/stores/signer-store'
import { useTheme } from '../../state/theme'
import { useHealth } from '../../state/use-health'
import { Button } from '../../widgets/controls/Button'
import { NetworkBadge } from '../../widgets/facts/NetworkBadge'
import { BrokenLine } from '../../widgets/faults/Broken'
import styles from './AppShell.module.css'
import { BrandMark } from './BrandMark'
import { StatusBar } from './StatusBar'
import { useNavItems } from './use-nav-items'

export function AppShell({ active, children }: { readonly active: NavName | null; readonly children: ReactNode }) {
  const t = useText()
  const canControl = useCanControl()
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

const EVERY_MS = 30_000

function Announcer() {
  const t = useText()
  const { clock } = useEnvironment()
  const isOpen = useIsOpen()
  const { summary: own, count: wrong, isKnown } = useHealth()
  const mining = useMiner(selectMiningCount)
  const waiting = useSigner(selectWaitingCount)
  // A monitor's own miner is off: it is its rigs that work or don't.
  const isMonitor = useOperation(selectIsMonitor)
  const silent = useOperation(selectSilentRigs)
  const online = useOperation((state) => state.rigs?.totals.online ?? 0)
  const count = useOperation((state) => state.rigs?.totals.rigs ?? 0)
  const isUnheard = isMonitor && silent > 0 && own === 'ok'
  const summary = isUnheard ? 'unproven' : own
  const text = [
    `${isUnheard ? t('ui.health.rigsSilent', { count: silent }) : t(`ui.health.${own}`, { count: wrong })}.`,
    isMonitor ? `${t('ui.status.rigs', { online, count })}.` : t('ui.summary.mining', { count: mining }),
    t('ui.summary.waiting', { count: waiting }),
  ]
    .join(' ')
    .trim()
  const said = useRef({ summary: '', at: Number.NEGATIVE_INFINITY })
  const [shown, setShown] = useState('')
  useEffect(() => {
    if (!isOpen) {
      // Without contact the last announcement is outdated, and the bar says since when. All is announced again after
      // contact returns.
      said.current = { summary: '', at: Number.NEGATIVE_INFINITY }
      setShown('')
      return
    }
    if (!isKnown) return
    const say = (): void => {
      said.current = { summary, at: clock.monotonic() }
      setShown(text)
    }
    const waitMs = said.current.summary === summary ? said.current.at + EVERY_MS - clock.monotonic() : 0
    if (waitMs <= 0) return say()
    const timer = clock.setTimeout(say, waitMs)
    return () => timer.dispose()
  }, [isOpen, isKnown, summary, text, clock])
  return (
    <p className="visually-hidden" aria-live="polite" data-testid="announcer">
      {shown}
    </p>
  )
}

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

/** Navigation to all screens: a rail with labels, with icons only, or a bar at the bottom, by width. */
function Rail({ active }: { readonly active: NavName | null }) {
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
