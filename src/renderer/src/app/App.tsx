// The dashboard: which screen the address means, and what stands in its place when there is no access or no contact yet.

import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { useMayDecide } from '../approval/may-decide'
import { Skeleton } from '../components/States'
import { useText } from '../i18n/text'
import { selectCanControl } from '../state/app-store'
import { useApp, useEnvironment, usePreference } from '../state/environment'
import { useThemeAttribute } from '../state/theme'
import { AppShell } from './AppShell'
import { CurrentScreen } from './CurrentScreen'
import { useCommandKeys } from './command-keys'
import { Login } from './Login'
import { lazyPart } from './lazy-part'
import { useMenuCommands } from './menu-commands'
import { Notices } from './Notices'
import { goTo, useRoute } from './router'
import { navOf, type Route } from './routes'
import { useNavItems } from './use-nav-items'

const ApprovalApp = lazyPart(async () => (await import('../approval/ApprovalApp')).ApprovalApp)
const Palette = lazyPart(async () => (await import('./Palette')).Palette)
const PauseAllDialog = lazyPart(async () => (await import('./PauseAllDialog')).PauseAllDialog)
const KeyHelp = lazyPart(async () => (await import('./KeyHelp')).KeyHelp)

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
      <Suspense fallback={<Skeleton />}>
        <ApprovalApp requestedId={route.id} onLeave={() => goTo('/accounts')} />
      </Suspense>
    )
  return (
    <AppShell active={navOf(route)}>
      <Suspense fallback={<Skeleton lines={6} />}>
        <CurrentScreen route={route} />
      </Suspense>
      <Notices />
      {layers}
    </AppShell>
  )
}

/** What lies over every screen, and the keys and menu entries that bring it. @param isOn false inside of approvals and the login */
function useLayers(isOn: boolean): ReactNode {
  const { clock, stores } = useEnvironment()
  const letterKeys = usePreference((preferences) => preferences.letterKeys)
  const canControl = useApp(selectCanControl)
  const items = useNavItems()
  const isAsking = useStore(stores.pauseAll.store, ({ question }) => question !== null)
  const [open, setOpen] = useState<'help' | 'palette' | null>(null)
  const { freeze, pauseAll, preferences } = stores
  const onHelp = (): void => setOpen('help')
  useCommandKeys({
    ...{ clock, isOn, hasLetters: letterKeys, items, onGo: goTo, onHelp },
    onPalette: () => setOpen('palette'),
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
      {open === 'palette' && <Palette onClose={() => setOpen(null)} />}
      {open === 'help' && <KeyHelp isOpen onOpenChange={() => setOpen(null)} />}
      {isAsking && <PauseAllDialog />}
    </Suspense>
  )
}

/** What is decided on is never of a moment ago. */
function useLiveApprovals(isApproval: boolean): void {
  const { freeze } = useEnvironment().stores
  useEffect(() => {
    if (isApproval) freeze.off()
  }, [isApproval, freeze])
}

/** Another screen begins at its top, as another page would. */
function useTop(screen: Route['screen']): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of screen is what it is for
  useEffect(() => {
    document.documentElement.scrollTop = 0
  }, [screen])
}

/** The page's title names the screen, for tabs and screen readers. */
function useTitle(route: Route, name: string): void {
  const t = useText()
  const nav = navOf(route)
  const screen = nav === null ? '' : t(`ui.nav.${nav}`)
  useEffect(() => {
    document.title = screen === '' ? name : `${screen} · ${name}`
  }, [screen, name])
}
