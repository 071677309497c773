// Pause or resume of one device or all: shows the wanted state at once, believes it only when a reading confirms it.
import { LoaderCircle, Pause, Play, TriangleAlert } from 'lucide-react'
import { memo } from 'react'
import { useText } from '../../i18n/text'
import type { ControlState, ControlTarget, PauseTarget } from '../../state/controls'
import { useCanControl, useControl, useEnvironment } from '../../state/environment'
import { Button } from './Button'
import styles from './PauseButton.module.css'

interface PauseButtonProps {
  readonly target: PauseTarget
  readonly isPaused: boolean
  /** False when no reason of the pause can be lifted by hand. */
  readonly canResume: boolean
  /** Why it is paused, for a resume that is not possible. */
  readonly reason?: string
  readonly name: string
  readonly testId: string
  readonly variant?: 'normal' | 'primary'
  readonly size?: 'small' | 'normal'
  readonly isBare?: boolean
  /** Instead of pressing at once. */
  readonly onPress?: (wanted: boolean) => void
}

export function PauseButton(props: PauseButtonProps) {
  const t = useText()
  const { controls } = useEnvironment().stores
  const control = useControl(props.target)
  const canControl = useCanControl()
  if (!canControl) return null

  const press = (on: boolean): void => void controls.press(props.target, on)
  const { target, isPaused, canResume, reason = '', testId, variant, size, isBare } = props
  // "Pause all" says it all: a name of its own would have to begin with the same words, in every language.
  const isAll = target === 'all'
  return (
    <PauseToggle
      control={control}
      isPaused={isPaused}
      isAll={isAll}
      disabledReason={isPaused && !canResume ? t('ui.pause.cannotResume', { reason }) : undefined}
      name={isAll ? null : props.name}
      testId={testId}
      variant={variant}
      size={size}
      isBare={isBare}
      onPress={props.onPress ?? press}
    />
  )
}

interface PauseToggleProps {
  readonly control: ControlState
  readonly isPaused: boolean
  readonly isAll: boolean
  readonly disabledReason: string | undefined
  /** For the button's accessible name; null: its text is enough. */
  readonly name: string | null
  readonly testId: string
  readonly variant?: 'normal' | 'primary' | undefined
  readonly size?: 'small' | 'normal' | undefined
  readonly isBare?: boolean | undefined
  readonly onPress: (wanted: boolean) => void
}

/** Shows the wanted state at once, and what is known of it. */
export function PauseToggle(props: PauseToggleProps) {
  const { control, isPaused, isAll, name, testId, variant = 'normal', size = 'small', isBare = false } = props
  const t = useText()
  const wanted = wantedOf(control, isPaused)
  const isPending = control.kind === 'pending'
  const label = t(pauseLabel(control, wanted, isAll))
  const Icon = isPending ? LoaderCircle : control.kind === 'unconfirmed' ? TriangleAlert : wanted ? Pause : Play
  return (
    <Button
      size={size}
      variant={variant}
      isBare={isBare}
      title={isBare ? label : undefined}
      className={isPending ? styles.pending : undefined}
      data-testid={testId}
      data-state={control.kind}
      isBusy={isPending}
      needsContact
      disabledReason={props.disabledReason}
      aria-label={name === null ? undefined : t(wanted ? 'ui.pause.pauseTarget' : 'ui.pause.resumeTarget', { name })}
      icon={<Icon aria-hidden="true" />}
      onClick={() => props.onPress(wanted)}
    >
      {!isBare && label}
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
function pauseLabel(control: { readonly kind: string }, wanted: boolean, isAll: boolean) {
  if (control.kind === 'pending') return wanted ? 'ui.pause.pausing' : 'ui.pause.resuming'
  if (control.kind === 'unconfirmed') return 'ui.common.retry'
  if (isAll) return wanted ? 'ui.pause.pauseAll' : 'ui.pause.resumeAll'
  return wanted ? 'ui.pause.pause' : 'ui.pause.resume'
}
