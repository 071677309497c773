// Pauses or resumes a rig or one of its GPUs: shows the wanted state at once, believes it only when the rig reports it.
import { useStore } from 'zustand'
import { useText } from '../../../i18n/text'
import { type PauseTarget, selectControl } from '../../../state/controls'
import { Failure } from '../../../widgets/controls/Button'
import { PauseToggle } from '../../../widgets/controls/PauseButton'
import styles from '../Rigs.module.css'
import { refusalText } from './rig-commands'
import type { RigControls } from './rig-controls'

interface RigPauseProps {
  readonly controls: RigControls
  readonly target: PauseTarget
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
  const control = useStore(controls.store, selectControl(target))
  const isStuck = isPaused && reason !== '' && !reason.includes(BY_COMMAND)
  return (
    <PauseToggle
      control={control}
      isPaused={isPaused}
      isAll={target === 'all'}
      disabledReason={isStuck ? t('ui.pause.cannotResume', { reason }) : undefined}
      name={name}
      testId={testId}
      onPress={(wanted) => void controls.press(target, wanted)}
    />
  )
}

/** The result of this target's last press, while it is worth showing. */
export function RigPauseMessage({ controls, target }: Pick<RigPauseProps, 'controls' | 'target'>) {
  const t = useText()
  const control = useStore(controls.store, selectControl(target))
  if (control.kind === 'unconfirmed')
    return (
      <p className={styles.failed} role="status">
        {t(control.wanted ? 'ui.rigs.unconfirmedPause' : 'ui.rigs.unconfirmedResume')}
      </p>
    )
  return (
    <Failure
      text={control.kind === 'failed' ? refusalText({ status: control.status, error: control.reason }, t) : ''}
    />
  )
}
