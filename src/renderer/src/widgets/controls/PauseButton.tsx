// Pause or resume of one device or all: shows the wanted state at once, believes it only when a reading confirms it.
import { LoaderCircle, Pause, Play, TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import { useText } from '../../i18n/text'
import type { ControlState, ControlTarget, PauseTarget } from '../../state/controls'
import { useApp, useControl, useEnvironment } from '../../state/environment'
import { selectCanControl, selectIsOpen } from '../../state/stores/app-store'
import { Button } from './Button'
import styles from './PauseButton.module.css'

interface PauseButtonProps {
  readonly target: PauseTarget
  /** The last reading. */
  readonly isPaused: boolean
  /** False when no reason of the pause can be lifted by hand. */
  readonly canResume: boolean
  /** Why it is paused, for a resume that is not possible. */
  readonly reason?: string
  /** The device's name, for the button's accessible name. */
  readonly name: string
  readonly testId: string
  readonly variant?: 'normal' | 'primary'
  readonly size?: 'small' | 'normal'
  /** Only its mark is shown. */
  readonly isBare?: boolean
  /** Instead of pressing at once. */
  readonly onPress?: (wanted: boolean) => void
}

export function PauseButton(props: PauseButtonProps) {
  const t = useText()
  const { controls } = useEnvironment().stores
  const control = useControl(props.target)
  const canControl = useApp(selectCanControl)
  const isOpen = useApp(selectIsOpen)
  if (!canControl) return null

  const wanted = wantedOf(control, props.isPaused)
  const press = (on: boolean): void => void controls.press(props.target, on)
  const disabledReason = offReason(props, isOpen, t)
  // "Pause all" says it all: a name of its own would have to begin with the same words, in every language.
  const isAll = props.target === 'all'
  const isPending = control.kind === 'pending'
  const label = t(pauseLabel(control, wanted, isAll))
  const Icon = isPending ? LoaderCircle : control.kind === 'unconfirmed' ? TriangleAlert : wanted ? Pause : Play
  return (
    <Button
      size={props.size ?? 'small'}
      variant={props.variant ?? 'normal'}
      isBare={props.isBare ?? false}
      title={props.isBare === true ? label : undefined}
      className={isPending ? styles.pending : undefined}
      data-testid={props.testId}
      data-state={control.kind}
      isBusy={isPending}
      disabledReason={disabledReason}
      aria-label={
        isAll ? undefined : t(wanted ? 'ui.pause.pauseTarget' : 'ui.pause.resumeTarget', { name: props.name })
      }
      icon={<Icon aria-hidden="true" />}
      onClick={() => (props.onPress ?? press)(wanted)}
    >
      {props.isBare !== true && label}
    </Button>
  )
}

/** What went wrong with the last press of this target, while it is worth saying. */
export const ControlMessage = memo(function ControlMessage({ target }: { readonly target: ControlTarget }) {
  const t = useText()
  const control = useControl(target)
  if (control.kind === 'unconfirmed')
    return (
      <p className={styles.message} role="status">
        {t(control.wanted ? 'ui.pause.unconfirmedPause' : 'ui.pause.unconfirmedResume')}
      </p>
    )
  if (control.kind !== 'failed') return null
  const text =
    control.cause === 'other'
      ? control.reason
      : t(control.cause === 'denied' ? 'ui.pause.denied' : 'ui.pause.noContact')
  return (
    <p className={styles.message} role="alert">
      {text}
    </p>
  )
})

/** The state the next press requests: the opposite of the last reading, or the same again after a timeout. */
function wantedOf(control: ControlState, isPaused: boolean): boolean {
  if (control.kind === 'pending' || control.kind === 'unconfirmed') return control.wanted
  return !isPaused
}

/** Key of the text on a button that pauses or resumes. @param isAll all devices at once */
export function pauseLabel(control: { readonly kind: string }, wanted: boolean, isAll: boolean) {
  if (control.kind === 'pending') return wanted ? 'ui.pause.pausing' : 'ui.pause.resuming'
  if (control.kind === 'unconfirmed') return 'ui.common.retry'
  if (isAll) return wanted ? 'ui.pause.pauseAll' : 'ui.pause.resumeAll'
  return wanted ? 'ui.pause.pause' : 'ui.pause.resume'
}

function offReason(props: PauseButtonProps, isOpen: boolean, t: ReturnType<typeof useText>): string | undefined {
  if (!isOpen) return t('ui.pause.noContact')
  if (props.isPaused && !props.canResume) return t('ui.pause.cannotResume', { reason: props.reason ?? '' })
  return undefined
}
