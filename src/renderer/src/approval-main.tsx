// Entry of the approval window: a separate page and process that knows requests but no screens.
import './style/base.css'
import { useEffect, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { Emitter } from '../../base/events'
import { systemClock } from '../../base/time'
import { keysOfPage } from '../../contract/approval/approval-keys'
import type { PreloadBridge } from '../../contract/contract'
import { ApprovalApp } from './approval/ApprovalApp'
import type { ApprovalSenses } from './approval/machine-hooks'
import { Boundary, IsWholeContext } from './components/faults/Boundary'
import { createIpcBackend, findBridge } from './data/ipc'
import { loadEnglish } from './i18n/english'
import { Callers } from './screens/Accounts/Callers'
import { ImportAccount } from './screens/Accounts/Keys'
import { KeyTools } from './screens/Accounts/KeyTools'
import { RuleTools } from './screens/Accounts/Rules'
import { EnvironmentProvider } from './state/environment'
import { connectStores, createStores } from './state/stores/stores'
import { useThemeAttribute } from './state/theme'
import { ChosenLanguage } from './widgets/ChosenLanguage'
import { BrokenApproval } from './widgets/faults/Broken'

const clock = systemClock()

const presence = new Emitter<{ disturbed: null }>()
const senses: ApprovalSenses = { watchPresence: (onDisturbed) => presence.on('disturbed', onDisturbed) }

function ApprovalWindow({ bridge }: { readonly bridge: PreloadBridge }) {
  useThemeAttribute()
  const [round, setRound] = useState(0)
  useEffect(() => {
    const watching = presence.on('disturbed', () => setRound((last) => last + 1))
    return () => watching.dispose()
  }, [])
  return (
    <main>
      <ApprovalApp
        requestedId={null}
        onLeave={() => bridge.leave?.()}
        senses={senses}
        {...(bridge.showing === undefined ? {} : { onShown: bridge.showing })}
      >
        {/* Remounts the forms each time, so that nothing typed remains for the next person at the screen. */}
        <RuleTools key={`rules ${round}`} />
        <KeyTools key={`keys ${round}`} />
        <ImportAccount key={`import ${round}`} />
        <Callers />
      </ApprovalApp>
    </main>
  )
}

async function start(root: HTMLElement): Promise<void> {
  const bridge = findBridge(window)
  if (bridge === null) return // outside the desktop program this page has nothing to connect to
  await loadEnglish()
  const backend = createIpcBackend(bridge, clock)
  bridge.onDisturbed?.(() => presence.emit('disturbed', null))
  const stores = createStores({ backend, clock, storage: window.localStorage })
  connectStores(stores, backend)
  createRoot(root).render(
    <EnvironmentProvider value={{ backend, stores, loadCharts: null, approvalKeys: keysOfPage(window) }}>
      <ChosenLanguage wanted={navigator.languages}>
        <Boundary isOutermost fallback={(fault) => <BrokenApproval {...fault} />}>
          <IsWholeContext.Provider value={true}>
            <ApprovalWindow bridge={bridge} />
          </IsWholeContext.Provider>
        </Boundary>
      </ChosenLanguage>
    </EnvironmentProvider>,
  )
}

const root = document.getElementById('root')
if (root !== null) void start(root)
