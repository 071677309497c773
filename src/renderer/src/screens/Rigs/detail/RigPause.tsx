// Pauses or resumes a rig or one of its GPUs: shows the wanted state at once, believes it only when the rig reports it.
import { LoaderCircle, Pause, Play, TriangleAlert } from 'lucide-react'
import { useStore } from 'zustand'
import { Failure } from '../../../components/faults/Failure'
import { useText } from '../../../i18n/text'
import { Button } from '../../../widgets/controls/Button'
import { pauseLabel } from '../../../widgets/controls/PauseButton'
import pause from '../../../widgets/controls/PauseButton.module.css'
import styles from '../Rigs.module.css'
import { refusalText } from './rig-commands'
import { type RigControls, type RigTarget, selectRigControl } from './rig-controls'

interface RigPauseProps {
  readonly controls: RigControls
  readonly target: RigTarget
  /** The last reading. */
  readonly isPaused: boolean
  /** The rig's own words; resuming only lifts a pause by command. */
  readonly reason: string
  /** The target, for the button's accessible name. */
  readonly name: string
  readonly testId: string
}

/** The reason that a command can lift, in the public API's words. */
const BY_COMMAND = 'Api request'

export function RigPause({ controls, target, isPaused, reason, name, testId }: RigPauseProps) {
  const t = useText()
  const control = useStore(controls.store, selectRigControl(target))
  const wanted = control.kind === 'pending' || control.kind === 'unconfirmed' ? control.wanted : !isPaused
  const isPending = control.kind === 'pending'
  const isStuck = isPaused && reason !== '' && !reason.includes(BY_COMMAND)
  const Icon = isPending ? LoaderCircle : control.kind === 'unconfirmed' ? TriangleAlert : wanted ? Pause : Play
  return (
    <Button
      size="small"
      className={isPending ? pause.pending : undefined}
      data-testid={testId}
      data-state={control.kind}
      isBusy={isPending}
      needsContact
      disabledReason={isStuck ? t('ui.pause.cannotResume', { reason }) : undefined}
      aria-label={t(wanted ? 'ui.pause.pauseTarget' : 'ui.pause.resumeTarget', { name })}
      icon={<Icon aria-hidden="true" />}
      onClick={() => void controls.press(target, wanted)}
    >
      {t(pauseLabel(control, wanted, target === 'all'))}
    </Button>
  )
}

/** The result of this target's last press, while it is worth showing. */
export function RigPauseMessage({ controls, target }: Pick<RigPauseProps, 'controls' | 'target'>) {
  const t = useText()
  const control = useStore(controls.store, selectRigControl(target))
  if (control.kind === 'unconfirmed')
    return (
      <p className={styles.failed} role="status">
        {t(control.wanted ? 'ui.rigs.unconfirmedPause' : 'ui.rigs.unconfirmedResume')}
      </p>
    )
  return <Failure text={control.kind === 'failed' ? refusalText(control.refusal, t) : ''} />
}
