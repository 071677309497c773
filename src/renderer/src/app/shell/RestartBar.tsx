// Says on every screen that a saved change needs a restart, and offers it.
import { RotateCw } from 'lucide-react'
import { Suspense, useState } from 'react'
import { Note } from '../../components/layout/Note'
import { lazyPart } from '../../components/lazy-part'
import { useText } from '../../i18n/text'
import { useRoute } from '../../navigation/router'
import { useApp, useFleet } from '../../state/environment'
import { selectCanControl } from '../../state/stores/app-store'
import { selectPools } from '../../state/stores/fleet-store'
import { useRestart } from '../../state/use-restart'
import { Button } from '../../widgets/controls/Button'

const RestartDialog = lazyPart(async () => (await import('../../widgets/controls/RestartDialog')).RestartDialog)

export function RestartBar() {
  const t = useText()
  const route = useRoute()
  const canControl = useApp(selectCanControl)
  const options = useApp((state) => state.status?.restartFor ?? NONE)
  const plannedPools = useFleet((state) => selectPools(state).filter((pool) => pool.state === 'planned').length)
  const restart = useRestart()
  const [isAsking, setAsking] = useState(false)
  const isPending = options.length > 0 || plannedPools > 0
  // The settings themselves say which part a change restarts.
  if (!canControl || !isPending || route.screen === 'settings' || route.screen === 'welcome') return null
  const isRestarting = restart.state === 'asked'
  return (
    <Note
      tone="plain"
      icon={RotateCw}
      testId="restart-bar"
      role="status"
      action={
        <Button
          size="small"
          needsContact
          isBusy={isRestarting}
          data-testid="restart-now"
          onClick={() => setAsking(true)}
        >
          {t('ui.restart.now')}
        </Button>
      }
    >
      {isRestarting
        ? t('ui.restart.restarting')
        : [
            ...(plannedPools > 0 ? [t('ui.restart.pools', { count: plannedPools })] : []),
            ...(options.length > 0
              ? [t('ui.restart.options', { count: options.length, names: options.join(', ') })]
              : []),
          ].join(' ')}
      {restart.state === 'refused' && <span role="alert"> {t('ui.restart.refused', { reason: restart.reason })}</span>}
      {isAsking && (
        <Suspense fallback={null}>
          <RestartDialog onConfirm={() => void restart.ask()} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </Note>
  )
}

const NONE: readonly string[] = []
