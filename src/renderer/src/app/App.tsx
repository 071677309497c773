// The dashboard: picks the screen for the address, or what replaces it without access or before contact.
import { type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useStore } from 'zustand'
import { MENU_EVENT, menuCommandSchema } from '../../../contract/menu'
import { useMayDecide } from '../approval/decision/may-decide'
import { Boundary, IsWholeContext } from '../components/faults/Boundary'
import { lazyPart } from '../components/lazy-part'
import { type Text, useText } from '../i18n/text'
import { goTo, useRoute } from '../navigation/router'
import { navOf, type Route } from '../navigation/routes'
import { useApp, useEnvironment, useOperation, usePreference } from '../state/environment'
import { selectOpen } from '../state/incidents'
import { selectCanControl } from '../state/stores/app-store'
import { useThemeAttribute } from '../state/theme'
import { Skeleton } from '../widgets/facts/States'
import { BrokenApproval, BrokenLine, BrokenScreen } from '../widgets/faults/Broken'
import { CurrentScreen } from './CurrentScreen'
import { Login } from './Login'
import { useCommandKeys } from './palette/command-keys'
import { AppShell } from './shell/AppShell'
import { Toasts } from './shell/Toasts'
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

/**
 * The layers over every screen, and the keys and menu entries that open them.
 * @param isOn false in approvals and on the login page
 */
function useLayers(isOn: boolean): ReactNode {
  const { stores } = useEnvironment()
  const letterKeys = usePreference((preferences) => preferences.letterKeys)
  const canControl = useApp(selectCanControl)
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
