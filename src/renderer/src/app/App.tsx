// The dashboard: which screen the address means, and what stands in its place when there is no access or no contact yet.
import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { Skeleton } from '../components/States'
import { useText } from '../i18n/text'
import { useApp, useEnvironment, usePreference } from '../state/environment'
import { useThemeAttribute } from '../state/theme'
import { AppShell } from './AppShell'
import { CurrentScreen } from './CurrentScreen'
import { useCommandKeys } from './command-keys'
import { Login } from './Login'
import { Notices } from './Notices'
import { goTo, useRoute } from './router'
import { navOf, type Route } from './routes'

const ApprovalApp = lazy(async () => ({ default: (await import('../approval/ApprovalApp')).ApprovalApp }))
const Palette = lazy(async () => ({ default: (await import('./Palette')).Palette }))
const KeyHelp = lazy(async () => ({ default: (await import('./KeyHelp')).KeyHelp }))

export function App() {
  useThemeAttribute()
  const t = useText()
  const route = useRoute()
  const { clock } = useEnvironment()
  const isSignedOut = useApp((state) => state.connection.kind === 'signedOut')
  const canApprove = useApp((state) => state.info?.access.approve ?? false)
  const letterKeys = usePreference((preferences) => preferences.letterKeys)
  const [isHelp, setHelp] = useState(false)
  const isApproval = route.screen === 'approval' && canApprove
  const isLogin = isSignedOut || route.screen === 'sign-in'
  const [isPalette, setPalette] = useState(false)
  const openHelp = useCallback(() => setHelp(true), [])
  const openPalette = useCallback(() => setPalette(true), [])
  useCommandKeys({
    ...{ clock, isOn: !isApproval && !isLogin, hasLetters: letterKeys },
    ...{ onGo: goTo, onHelp: openHelp, onPalette: openPalette },
  })
  useTitle(route, t('ui.shell.name'))
  useTop(route.screen)

  if (isLogin) return <Login onDone={() => route.screen === 'sign-in' && goTo('/')} />
  if (isApproval)
    return (
      <Suspense fallback={<Skeleton />}>
        <ApprovalApp requestedId={route.id} onLeave={() => goTo('/accounts')} />
      </Suspense>
    )
  const active = navOf(route)
  return (
    <AppShell active={active}>
      <Suspense fallback={<Skeleton lines={6} />}>
        <CurrentScreen route={route} />
      </Suspense>
      <Notices />
      {isPalette && (
        <Suspense fallback={null}>
          <Palette onClose={() => setPalette(false)} />
        </Suspense>
      )}
      {isHelp && (
        <Suspense fallback={null}>
          <KeyHelp isOpen={isHelp} onOpenChange={setHelp} />
        </Suspense>
      )}
    </AppShell>
  )
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
