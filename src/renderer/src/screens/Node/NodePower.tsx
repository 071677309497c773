// Starts and stops the node from its own screen; the stop dialog says what ends.
import { Play, Square } from 'lucide-react'
import { useState } from 'react'
import { Failure } from '../../components/faults/Failure'
import { type Text, useText } from '../../i18n/text'
import { useAttempt } from '../../state/answers/use-attempt'
import { useApp, useEnvironment, useMiner, useNode } from '../../state/environment'
import { selectCanControl } from '../../state/stores/app-store'
import { Button } from '../../widgets/controls/Button'
import { ConfirmDialog } from '../../widgets/controls/ConfirmDialog'

/** Renders nothing for read-only users, and in a run without a node. */
export function NodePower() {
  const canControl = useApp(selectCanControl)
  const { state, canStart } = useNode(({ head, control }) => ({
    state: head?.state ?? null,
    canStart: control?.isSwitchedOff === true || head?.state === 'failed',
  }))
  const { backend } = useEnvironment()
  const { isBusy, failure, run } = useAttempt()
  if (!canControl || state === null || (state === 'stopped' && !canStart)) return null
  return (
    <>
      <Failure text={failure} />
      {canStart ? (
        <StartButton isBusy={isBusy} onPress={() => run(() => backend.call('node.start', {}))} />
      ) : (
        <StopButton isBusy={isBusy || state === 'starting'} onPress={() => run(() => backend.call('node.stop', {}))} />
      )}
    </>
  )
}

interface SwitchProps {
  readonly isBusy: boolean
  readonly onPress: () => void
}

function StartButton({ isBusy, onPress }: SwitchProps) {
  const t = useText()
  return (
    <Button
      variant="primary"
      icon={<Play aria-hidden="true" />}
      needsContact
      isBusy={isBusy}
      data-testid="node-start"
      onClick={onPress}
    >
      {t('ui.node.start')}
    </Button>
  )
}

/** Asks first, and names what ends. */
function StopButton({ isBusy, onPress }: SwitchProps) {
  const t = useText()
  const isSolo = useMiner(({ status }) => status?.source.kind === 'solo')
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button
        icon={<Square aria-hidden="true" />}
        needsContact
        isBusy={isBusy}
        data-testid="node-stop"
        onClick={() => setAsking(true)}
      >
        {t('ui.node.stop')}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t('ui.node.stopTitle')}
          action={t('ui.node.stop')}
          isDanger
          testId="node-stop-dialog"
          onConfirm={onPress}
          onClose={() => setAsking(false)}
        >
          <p>{stopText(t, isSolo)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

function stopText(t: Text, isSolo: boolean): string {
  return isSolo ? `${t('ui.node.stopText')} ${t('ui.node.stopSolo')}` : t('ui.node.stopText')
}
