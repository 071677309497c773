// One button for all actions; an unavailable one stays focusable and explains why.
import { type ComponentProps, type ReactNode, useId } from 'react'
import failureStyles from '../../components/faults/Failure.module.css'
import { ForeignText } from '../../components/values/HexText'
import { useNoContact } from '../facts/use-no-contact'
import styles from './Button.module.css'

interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'children'> {
  /** `primary`: gold, the one action of a screen; `strong`: the answer of a dialog; `danger`: only where something is lost. */
  readonly variant?: 'primary' | 'strong' | 'normal' | 'quiet' | 'link' | 'danger' | 'dangerQuiet'
  readonly size?: 'small' | 'normal' | 'large'
  /** A mark alone, as wide as it is high; it needs a name. */
  readonly isBare?: boolean
  /** Why it can't be pressed now; absent if it can. */
  readonly disabledReason?: string | undefined
  /** It sends a request to the program: without contact it says so and does nothing. */
  readonly needsContact?: boolean
  readonly isBusy?: boolean
  readonly icon?: ReactNode
  readonly children?: ReactNode
}

export function Button(props: ButtonProps) {
  const {
    variant = 'normal',
    size = 'normal',
    isBare = false,
    disabledReason,
    needsContact = false,
    isBusy = false,
    icon,
    children,
    onClick,
    ...rest
  } = props
  const noContact = useNoContact()
  const reasonId = useId()
  const reason = needsContact ? (noContact ?? disabledReason) : disabledReason
  const isOff = reason !== undefined
  return (
    <button
      type="button"
      {...rest}
      className={`${styles.button} ${styles[variant]} ${size === 'normal' ? '' : styles[size]} ${isBare ? styles.bare : ''} ${rest.className ?? ''}`}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      aria-describedby={isOff ? reasonId : rest['aria-describedby']}
      title={reason ?? rest.title}
      onClick={(event) => {
        if (!isOff && !isBusy) onClick?.(event)
      }}
    >
      {icon}
      {children}
      {isOff && (
        <span id={reasonId} hidden>
          {reason}
        </span>
      )}
    </button>
  )
}

interface FailureProps {
  /** Empty: nothing is shown. */
  readonly text: string
  readonly testId?: string
}

export function Failure({ text, testId }: FailureProps) {
  if (text === '') return null
  return (
    <p className={failureStyles.failure} role="alert" data-testid={testId} data-state="failed">
      <ForeignText text={text} />
    </p>
  )
}
