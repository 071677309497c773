// Entry of the dashboard: chooses the transport, creates the stores, renders the application.
import './style/base.css'
import type { ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { systemClock } from '../../base/time'
import { keysOfPage } from '../../contract/approval/approval-keys'
import { App } from './app/App'
import { Boundary, type Fault } from './components/faults/Boundary'
import { isOtherPage, reloadOnce } from './components/faults/page-reload'
import { loadAhead } from './components/lazy-part'
import type { Backend } from './data/backend'
import { createIpcBackend, findBridge } from './data/ipc'
import { isAnswering, isThisComputer, LOOPBACK_BACK_OFF_SECONDS } from './data/reach'
import { createTokenStore, takeTokenFromAddress, watchAddress } from './data/token-store'
import { browserSocket, channelUrl, createWebSocketBackend } from './data/websocket'
import { LanguageProvider } from './i18n/text'
import { firstAnswers } from './state/answers/first-answers'
import { EnvironmentProvider } from './state/environment'
import { connectStores, createStores } from './state/stores/stores'
import { ChosenLanguage, loadShown } from './widgets/ChosenLanguage'
import { BrokenPage } from './widgets/faults/Broken'

const clock = systemClock()

/** IPC inside the desktop window, a WebSocket to where the page came from in a browser. */
function chooseBackend(): Backend {
  const bridge = findBridge(window)
  if (bridge !== null) return createIpcBackend(bridge, clock)
  const tokens = createTokenStore(window.sessionStorage, window.localStorage, window.location.pathname)
  const token = takeTokenFromAddress(window)
  if (token !== null) tokens.write(token, false)
  const patience = isThisComputer(window.location.hostname)
    ? { backOffSeconds: LOOPBACK_BACK_OFF_SECONDS, isAnswering: () => isAnswering(fetch) }
    : {}
  const openSocket = browserSocket(channelUrl(window.location))
  const backend = createWebSocketBackend({ openSocket, clock, tokens, ...patience })
  followPage(backend)
  watchAddress(window, (shown) => backend.signIn(shown, false))
  return backend
}

async function start(root: HTMLElement): Promise<void> {
  const backend = chooseBackend()
  const stores = createStores({ backend, clock, storage: window.localStorage })
  connectStores(stores, backend)
  if (stores.preferences.getState().isStarting && window.location.hash === '') window.location.hash = '/welcome'
  const loadCharts = async () => (await import('./components/charts/uplot-engine')).chartEngine
  const wanted = navigator.languages
  // Until its texts and the first answers are there, the page shows the frame that came with its HTML.
  const [first] = await Promise.all([
    loadShown(stores.preferences.getState().language, wanted),
    firstAnswers(stores, clock),
  ])
  createRoot(root).render(
    <Boundary fallback={inEnglish}>
      <EnvironmentProvider value={{ backend, stores, loadCharts, approvalKeys: keysOfPage(window) }}>
        <ChosenLanguage wanted={wanted} first={first}>
          <Boundary fallback={(fault) => <BrokenPage {...fault} />}>
            <App />
          </Boundary>
        </ChosenLanguage>
      </EnvironmentProvider>
    </Boundary>,
  )
  whenOpen(
    backend,
    () =>
      void loadAhead(idle)
        .then(loadCharts)
        .catch(() => undefined),
  )
}

/** Used when even choosing a language failed. */
function inEnglish({ error }: Fault): ReactNode {
  return (
    <LanguageProvider locale="en">
      <BrokenPage error={error} />
    </LanguageProvider>
  )
}

function whenOpen(backend: Backend, then: () => void): void {
  const state = { wasOpen: false }
  const look = (): void => {
    const isOpen = backend.connection().kind === 'open'
    if (isOpen && !state.wasOpen) then()
    state.wasOpen = isOpen
  }
  backend.onConnection(look)
  look()
}

function idle(): Promise<void> {
  return new Promise((resolve) => {
    if ('requestIdleCallback' in window) window.requestIdleCallback(() => resolve(), { timeout: 2_000 })
    else setTimeout(resolve, 200)
  })
}

/** Reconnects when the user comes back, and reloads the page when another version of the program answers. */
function followPage(backend: Backend): void {
  const onSight = (): void => {
    if (document.visibilityState === 'visible') backend.retry()
  }
  document.addEventListener('visibilitychange', onSight)
  window.addEventListener('online', () => backend.retry())
  const scripts = [...document.querySelectorAll('script[src]')].flatMap((script) => script.getAttribute('src') ?? [])
  const reload = (): void => location.reload()
  const look = async (): Promise<void> => {
    try {
      const page = await fetch('./', { cache: 'no-store' })
      if (page.ok && isOtherPage(scripts, await page.text())) reloadOnce({ storage: sessionStorage, clock, reload })
    } catch {
      // Contact was lost again; the next one checks again.
    }
  }
  const state = { contacts: 0 }
  whenOpen(backend, () => {
    state.contacts += 1
    if (state.contacts > 1) void look()
  })
}

const root = document.getElementById('root')
if (root !== null) void start(root)
