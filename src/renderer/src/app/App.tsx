// The dashboard: picks the screen for the address, or what replaces it without access or before contact.
import { Compass, EyeOff, KeyRound, ServerOff } from 'lucide-react'
import { type FormEvent, type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { ActivityView, AppInfoView } from '../../../contract/app'
import { MENU_EVENT, menuCommandSchema } from '../../../contract/menu'
import { useMayDecide } from '../approval/decision/may-decide'
import { QuietBar } from '../approval/QuietBar'
import { Boundary, IsWholeContext } from '../components/faults/Boundary'
import { Note } from '../components/layout/Note'
import { lazyPart } from '../components/lazy-part'
import { ForeignText } from '../components/values/HexText'
import { type Text, useText } from '../i18n/text'
import { goTo, hrefOf, useRoute } from '../navigation/router'
import { type NavItem, navItems, navOf, type Route } from '../navigation/routes'
import { Overview } from '../screens/Overview/Overview'
import {
  useApp,
  useCanControl,
  useControl,
  useEnvironment,
  useOperation,
  usePreference,
  useSigner,
} from '../state/environment'
import { selectOpen } from '../state/incidents'
import { useThemeAttribute } from '../state/theme'
import { Button } from '../widgets/controls/Button'
import { ControlMessage } from '../widgets/controls/PauseButton'
import { EmptyState, Skeleton } from '../widgets/facts/States'
import { BrokenApproval, BrokenLine, BrokenScreen } from '../widgets/faults/Broken'
import styles from './Login.module.css'
import { AppShell } from './shell/AppShell'
import { BrandMark } from './shell/BrandMark'
import toastsStyles from './shell/Toasts.module.css'
import { useNavItems } from './shell/use-nav-items'

// Commands of the desktop's application menu: its main process sends them as window events.

interface MenuActions {
  readonly onHelp: () => void
  readonly onFreeze: () => void
  readonly onTheme: (theme: 'system' | 'dark' | 'light') => void
}

function useMenuCommands(actions: MenuActions): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const onCommand = (event: Event): void => {
      const command = menuCommandSchema.safeParse(event instanceof CustomEvent ? event.detail : null)
      if (!command.success) return
      const { onHelp, onFreeze, onTheme } = latest.current
      if (command.data.do === 'keys') onHelp()
      else if (command.data.do === 'freeze') onFreeze()
      else onTheme(command.data.theme)
    }
    window.addEventListener(MENU_EVENT, onCommand)
    return () => window.removeEventListener(MENU_EVENT, onCommand)
  }, [])
}

const ApprovalApp = lazyPart(async () => (await import('../approval/ApprovalApp')).ApprovalApp)
const Palette = lazyPart(async () => (await import('./palette/Palette')).Palette)
const PauseAllDialog = lazyPart(async () => (await import('./PauseAllDialog')).PauseAllDialog)
const IncidentsSheet = lazyPart(async () => (await import('./shell/IncidentsSheet')).IncidentsSheet)
const IncidentAnnouncer = lazyPart(async () => (await import('./shell/IncidentAnnouncer')).IncidentAnnouncer)
const KeyHelp = lazyPart(async () => (await import('./palette/KeyHelp')).KeyHelp)

export function App() {
  useThemeAttribute()
  const t = useText()
  const route = useRoute()
  const isSignedOut = useApp((state) => state.connection.kind === 'signedOut')
  const mayDecide = useMayDecide()
  const isApproval = route.screen === 'approval' && mayDecide
  const isLogin = isSignedOut || route.screen === 'sign-in'
  const layers = useLayers(!isApproval && !isLogin)
  useLiveApprovals(isApproval)
  useTitle(route, t('ui.shell.name'))
  useTop(route.screen)

  if (isLogin) return <Login onDone={() => route.screen === 'sign-in' && goTo('/')} />
  if (isApproval)
    return (
      <Boundary isOutermost fallback={(fault) => <BrokenApproval {...fault} />}>
        <IsWholeContext.Provider value={true}>
          <Suspense fallback={<Skeleton />}>
            <main>
              <ApprovalApp requestedId={route.id} onLeave={() => goTo('/accounts')} />
            </main>
          </Suspense>
        </IsWholeContext.Provider>
      </Boundary>
    )
  return (
    <AppShell active={navOf(route)}>
      <Boundary resetKey={location.hash} fallback={(fault) => <BrokenScreen {...fault} />}>
        <Suspense fallback={<Skeleton lines={6} />}>
          <CurrentScreen route={route} />
        </Suspense>
      </Boundary>
      <Boundary fallback={(fault) => <BrokenLine {...fault} />}>
        <Toasts />
        {layers}
      </Boundary>
    </AppShell>
  )
}

/** The layers over every screen, and what opens them. @param isOn false in approvals and on the login page */
function useLayers(isOn: boolean): ReactNode {
  const { stores } = useEnvironment()
  const letterKeys = usePreference((preferences) => preferences.letterKeys)
  const canControl = useCanControl()
  const items = useNavItems()
  const isAsking = useStore(stores.pauseAll.store, ({ question }) => question !== null)
  const { freeze, layers, pauseAll, preferences } = stores
  // Loaded with the first incident, and then there for the next ones.
  const hasIncidents = useOperation((state) => selectOpen(state).length > 0)
  const open = useStore(layers.store, (state) => state.open)
  const onHelp = (): void => layers.open({ kind: 'keys' })
  useCommandKeys({
    isOn,
    hasLetters: letterKeys,
    items,
    onGo: goTo,
    onHelp,
    onPalette: () => layers.open({ kind: 'palette' }),
    onIncidents: () => layers.open({ kind: 'incidents', id: '' }),
    onFreeze: freeze.toggle,
    onPauseAll: () => canControl && pauseAll.pressByKey(),
  })
  useMenuCommands({
    onHelp: () => isOn && onHelp(),
    onFreeze: () => isOn && freeze.toggle(),
    onTheme: (theme) => preferences.setState({ theme }),
  })
  return (
    <Suspense fallback={null}>
      {open?.kind === 'palette' && <Palette onClose={layers.close} />}
      {open?.kind === 'keys' && <KeyHelp onClose={layers.close} />}
      {open?.kind === 'incidents' && <IncidentsSheet id={open.id} onClose={layers.close} />}
      {isOn && hasIncidents && <IncidentAnnouncer />}
      {isAsking && <PauseAllDialog />}
    </Suspense>
  )
}

/** Decisions are made on live data: opening an approval ends a freeze. */
function useLiveApprovals(isApproval: boolean): void {
  const { freeze } = useEnvironment().stores
  useEffect(() => {
    if (isApproval) freeze.off()
  }, [isApproval, freeze])
}

/** Each screen starts at its top, like a new page; whoever comes by keyboard goes on from there. */
function useTop(screen: Route['screen']): void {
  const before = useRef(screen)
  useEffect(() => {
    if (before.current === screen) return
    before.current = screen
    document.documentElement.scrollTop = 0
    // A field that the screen itself focused keeps the focus.
    const main = document.getElementById('main')
    if (main !== null && !main.contains(document.activeElement)) main.focus({ preventScroll: true })
  }, [screen])
}

/** On a page about one of many things, names which one, so that browser tabs can be told apart. */
function subjectOf(route: Route, t: Text): string {
  switch (route.screen) {
    case 'block':
      return t('ui.shell.block', { id: brief(route.id) })
    case 'transaction':
      return t('ui.shell.transaction', { hash: brief(route.hash) })
    case 'address':
    case 'account':
      return brief(route.address)
    default:
      return ''
  }
}

const brief = (text: string): string => (text.length > 20 ? `${text.slice(0, 8)}…${text.slice(-4)}` : text)

/** The page's title names the screen, for tabs and screen readers. */
function useTitle(route: Route, name: string): void {
  const t = useText()
  const nav = navOf(route)
  const subject = subjectOf(route, t)
  const screen = [subject, nav === null ? '' : t(`ui.nav.${nav}`)].filter((part) => part !== '').join(' · ')
  useEffect(() => {
    document.title = screen === '' ? name : `${screen} · ${name}`
  }, [screen, name])
}

/** Asks for the token that a headless start printed. Nothing else is fetched before the user enters it. */
function Login({ onDone }: { readonly onDone: () => void }) {
  const t = useText()
  const { backend } = useEnvironment()
  const isRefused = useApp((state) => state.connection.kind === 'signedOut' && state.connection.refused)
  const [error, setError] = useState('')
  const id = useId()
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const token = String(form.get('token') ?? '').trim()
    if (token === '') {
      setError(t('ui.login.empty'))
      return
    }
    setError('')
    event.currentTarget.reset()
    backend.signIn(token, form.get('remember') === 'on')
    onDone()
  }
  const message = error === '' && isRefused ? t('ui.login.refused') : error
  return (
    <main className={styles.page}>
      <form className={styles.form} onSubmit={submit}>
        <div className={styles.brand}>
          <BrandMark />
          <h1>{t('ui.login.title')}</h1>
        </div>
        <p className={styles.text}>{t('ui.login.text')}</p>
        <label htmlFor={id}>{t('ui.login.token')}</label>
        <input
          id={id}
          name="token"
          type="password"
          autoComplete="off"
          spellCheck={false}
          data-testid="login-token"
          aria-describedby={`${id}-error`}
          aria-invalid={message !== '' || undefined}
        />
        <p id={`${id}-error`} className={styles.error} role="alert">
          {message}
        </p>
        <label className={styles.remember}>
          <input type="checkbox" name="remember" />
          <span>{t('ui.login.remember')}</span>
        </label>
        <Button type="submit" variant="primary" data-testid="login-submit" icon={<KeyRound aria-hidden="true" />}>
          {t('ui.login.signIn')}
        </Button>
      </form>
    </main>
  )
}

// What is hidden from link visitors: the program sends nothing for it, so the screen says so immediately.

type Link = NonNullable<AppInfoView['link']>

/** Pages about this device's own preferences and about the program. */
const OPEN_SETTINGS: readonly string[] = ['general', 'accessibility', 'about', 'appearance']

export function isWithheld(route: Route, { hides }: Pick<Link, 'hides'>): boolean {
  switch (route.screen) {
    case 'rules':
    case 'approval':
    case 'activity':
    case 'welcome':
      return true
    case 'accounts':
    case 'account':
    case 'address':
    case 'transaction':
      return hides
    case 'node':
      return route.tab === 'rpc' || (hides && (route.tab === 'peers' || route.tab === 'mempool'))
    case 'settings':
      return !OPEN_SETTINGS.includes(route.section)
    default:
      return false
  }
}

const Gpus = lazyPart(async () => (await import('../screens/Gpus/Gpus')).Gpus)
const GpuDetail = lazyPart(async () => (await import('../screens/Gpus/GpuDetail')).GpuDetail)
const Pools = lazyPart(async () => (await import('../screens/Pools/Pools')).Pools)
const Rigs = lazyPart(async () => (await import('../screens/Rigs/Rigs')).Rigs)
const RigDetail = lazyPart(async () => (await import('../screens/Rigs/detail/RigDetail')).RigDetail)
const Address = lazyPart(async () => (await import('../screens/Node/blocks/Address')).Address)
const Node = lazyPart(async () => (await import('../screens/Node/Node')).Node)
const Block = lazyPart(async () => (await import('../screens/Node/blocks/Block')).Block)
const Transaction = lazyPart(async () => (await import('../screens/Node/blocks/Transaction')).Transaction)
const Accounts = lazyPart(async () => (await import('../screens/Accounts/Accounts')).Accounts)
const Account = lazyPart(async () => (await import('../screens/Accounts/Account')).Account)
const Rules = lazyPart(async () => (await import('../screens/Accounts/Rules')).Rules)
const ActivityScreen = lazyPart(async () => (await import('../screens/Activity/Activity')).Activity)
const Welcome = lazyPart(async () => (await import('../screens/Welcome/Welcome')).Welcome)
const Settings = lazyPart(async () => (await import('../screens/Settings/Settings')).Settings)

/** Maps a route to its screen. All screens but the first are loaded on their first visit. */
function CurrentScreen({ route }: { readonly route: Route }): ReactNode {
  const t = useText()
  const link = useApp((state) => state.info?.link ?? null)
  if (link !== null && isWithheld(route, link))
    return (
      <EmptyState icon={EyeOff} title={t('ui.settings.withheld')}>
        {t('ui.settings.withheldText')}
      </EmptyState>
    )
  switch (route.screen) {
    case 'overview':
      return <Overview />
    case 'gpus':
      return route.index === null ? <Gpus /> : <GpuDetail key={route.index} index={route.index} tab={route.tab} />
    case 'pools':
      return <Pools proposed={route.proposed} />
    case 'rigs':
      return route.name === null ? <Rigs /> : <RigDetail key={route.name} name={route.name} />
    case 'node':
      return <Node tab={route.tab} />
    case 'address':
      return <Address key={route.address} address={route.address} />
    case 'block':
      return <Block key={route.id} id={route.id} />
    case 'transaction':
      return <Transaction key={route.hash} hash={route.hash} />
    case 'accounts':
    case 'approval':
      return <Accounts />
    case 'account':
      return <Account key={route.address} address={route.address} />
    case 'rules':
      return <Rules />
    case 'activity':
      return <ActivityScreen tab={route.tab} />
    case 'welcome':
      return <Welcome />
    case 'settings':
      return <Settings section={route.section} />
    case 'sign-in': // the app shows it in place of any screen
    case 'unknown':
      return (
        <EmptyState
          icon={Compass}
          title={t('ui.shell.unknownPage')}
          action={<a href={hrefOf('/')}>{t('ui.shell.backToOverview')}</a>}
        />
      )
    default:
      return route satisfies never
  }
}

/** The second key has to be pressed within this time, however late a busy page hears of both. */
const SEQUENCE_MS = 1500

interface CommandKeysOptions {
  /** False inside approvals and on the login page. */
  readonly isOn: boolean
  /** Users can turn single-letter keys off. */
  readonly hasLetters: boolean
  readonly items: readonly NavItem[]
  readonly onGo: (path: string) => void
  readonly onHelp: () => void
  readonly onPalette: () => void
  readonly onIncidents: () => void
  readonly onFreeze: () => void
  readonly onPauseAll: () => void
}

/** What a sequence of plain keys means. @param items screens available in this run */
export function readKey(
  previous: string,
  key: string,
  items: readonly NavItem[] = navItems,
): { readonly go: string } | 'help' | 'freeze' | 'incidents' | null {
  if (key === '?') return 'help'
  if (key === '.') return 'freeze'
  if (previous !== 'g') return key === 'i' ? 'incidents' : null
  const item = items.find((candidate) => candidate.key === key)
  return item === undefined ? null : { go: item.path }
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}

/** The screen's own search or filter field; false when it has none. */
function focusFilter(): boolean {
  const field = document.querySelector<HTMLInputElement>('main input[type="search"]')
  field?.focus()
  return field !== null
}

/** What a key means when held with Ctrl or Cmd; null = nothing here. */
function commandOf({ key, shiftKey }: KeyboardEvent, options: CommandKeysOptions): (() => void) | null {
  const letter = key.toLowerCase()
  if (shiftKey) return letter === 'p' ? options.onPauseAll : null
  if (letter === ',') return () => options.onGo('/settings')
  return letter === 'k' ? options.onPalette : null
}

/** @param options may change with each render */
function useCommandKeys(options: CommandKeysOptions): void {
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  const { isOn } = options
  useEffect(() => {
    if (!isOn) return
    const state = { previous: '', at: Number.NEGATIVE_INFINITY }
    const onKey = (event: KeyboardEvent): void => {
      const { hasLetters, items, onGo, onHelp, onFreeze, onIncidents } = latest.current
      const isCommand = event.ctrlKey || event.metaKey
      const withCommand = isCommand ? commandOf(event, latest.current) : null
      if (withCommand !== null) {
        event.preventDefault()
        withCommand()
        return
      }
      if (!hasLetters || isCommand || event.altKey || isTyping(event.target)) return
      if (event.key === '/' && focusFilter()) {
        event.preventDefault()
        return
      }
      const previous = event.timeStamp - state.at < SEQUENCE_MS ? state.previous : ''
      state.previous = event.key
      state.at = event.timeStamp
      const command = readKey(previous, event.key, items)
      if (command === 'help') onHelp()
      else if (command === 'freeze') onFreeze()
      else if (command === 'incidents') onIncidents()
      else if (command !== null) onGo(command.go)
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [isOn])
}

// With the texts of all findings.
const RefusedCalls = lazyPart(async () => (await import('../approval/RefusedCalls')).RefusedCalls)
const ToastList = lazyPart(async () => (await import('./shell/ToastList')).ToastList)
const NOTICE_SECONDS = 15
const UNDO_SECONDS = 10

/** Short messages in the corner, and what the signer did or refused without asking: each disappears by itself. */
function Toasts() {
  const { toasts } = useEnvironment().stores
  const isAny = useStore(toasts.store, ({ shown }) => shown.length > 0)
  const isAnyRefused = useSigner(
    ({ requests }) => (requests?.overflowed ?? 0) > 0 || (requests?.refusals ?? []).length > 0,
  )
  const wasAny = useRef(false)
  wasAny.current ||= isAny
  useNotices()
  usePausedToast()
  return (
    <div className={toastsStyles.viewport}>
      <RigFailures />
      <ControlMessage target="all" />
      <QuietBar />
      {isAnyRefused && (
        <Suspense fallback={null}>
          <RefusedCalls />
        </Suspense>
      )}
      {wasAny.current && (
        <Suspense fallback={null}>
          <ToastList className={toastsStyles.list} />
        </Suspense>
      )}
    </div>
  )
}

function newNotices(entries: readonly ActivityView[], after: number): readonly ActivityView[] {
  return entries.filter(({ id, level, module }) => id > after && level !== 'info' && module.split('.')[0] === 'signer')
}

function useNotices(): void {
  const t = useText()
  const { toasts } = useEnvironment().stores
  const entries = useApp((state) => state.activity)
  const seen = useRef<number | null>(null)
  useEffect(() => {
    if (entries === null) return
    const last = entries.at(-1)?.id ?? -1
    // Existing entries aren't news. After a restart of the program, ids start over.
    const after = seen.current === null || last < seen.current ? last : seen.current
    seen.current = last
    for (const { message, fields } of newNotices(entries, after))
      toasts.show({
        title: message,
        text: fields.map(({ name, value }) => `${name}: ${value}`).join(' · '),
        tone: 'warn',
        seconds: NOTICE_SECONDS,
        action: { label: t('ui.notice.details'), testId: 'notice-details', route: '/activity' },
        testId: 'notice',
      })
  }, [entries, toasts, t])
}

/** Offers to undo "pause all" with one press for ten seconds. */
function usePausedToast(): void {
  const t = useText()
  const { toasts, pauseAll } = useEnvironment().stores
  const control = useControl('all')
  const shown = useRef<number | null>(null)
  const hasPaused = control.kind === 'confirmed' && control.wanted
  const hasResumed = control.kind === 'pending' && !control.wanted
  useEffect(() => {
    if (hasPaused)
      shown.current = toasts.show({
        title: t('ui.pause.allPaused'),
        seconds: UNDO_SECONDS,
        action: { label: t('ui.pause.undo'), testId: 'pause-undo', run: () => pauseAll.undo() },
        testId: 'paused-bar',
      })
    if (hasResumed && shown.current !== null) toasts.close(shown.current)
  }, [hasPaused, hasResumed, toasts, pauseAll, t])
}

function RigFailures() {
  const t = useText()
  const { pauseAll } = useEnvironment().stores
  const failures = useStore(pauseAll.store, (state) => state.failures)
  if (failures.length === 0) return null
  return (
    <Note
      tone="danger"
      icon={ServerOff}
      role="alert"
      testId="rig-failures"
      action={
        <Button size="small" variant="quiet" onClick={pauseAll.forgetFailures}>
          {t('ui.common.close')}
        </Button>
      }
    >
      <ForeignText text={failures.map(({ rig, error }) => `${rig}: ${error}`).join(' · ')} />
    </Note>
  )
}
