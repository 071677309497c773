// Entry of the dashboard: chooses the transport, makes the stores, draws the application.
import './style/base.css'
import { createRoot } from 'react-dom/client'
import { systemClock } from '../../base/time'
import { App } from './app/App'
import type { Backend } from './data/backend'
import { createIpcBackend, findBridge } from './data/ipc'
import { createTokenStore, takeTokenFromAddress, watchAddress } from './data/token-store'
import { browserSocket, channelUrl, createWebSocketBackend } from './data/websocket'
import { ChosenLanguage } from './i18n/ChosenLanguage'
import { EnvironmentProvider } from './state/environment'
import { connectStores, createStores } from './state/stores'

const clock = systemClock()

/** IPC inside the desktop window, a WebSocket to where the page came from in a browser. */
function chooseBackend(): Backend {
  const bridge = findBridge(window)
  if (bridge !== null) return createIpcBackend(bridge, clock)
  const tokens = createTokenStore(window.sessionStorage, window.localStorage)
  const token = takeTokenFromAddress(window)
  if (token !== null) tokens.write(token, false)
  const backend = createWebSocketBackend({ openSocket: browserSocket(channelUrl(window.location)), clock, tokens })
  watchAddress(window, (shown) => backend.signIn(shown, false))
  return backend
}

function start(root: HTMLElement): void {
  const backend = chooseBackend()
  const stores = createStores({ backend, clock, storage: window.localStorage })
  connectStores(stores, backend)
  const loadCharts = async () => (await import('./components/uplot-engine')).chartEngine
  createRoot(root).render(
    <EnvironmentProvider value={{ backend, clock, stores, loadCharts }}>
      <ChosenLanguage wanted={navigator.languages}>
        <App />
      </ChosenLanguage>
    </EnvironmentProvider>,
  )
}

const root = document.getElementById('root')
if (root !== null) start(root)
