// One button for all actions; an unavailable one stays reachable and says why.
import type { ComponentProps, ReactNode } from 'react'
import styles from './Button.module.css'

export interface ButtonProps extends Omit<ComponentProps<'button'>, 'disabled' | 'children'> {
  readonly variant?: 'primary' | 'normal' | 'quiet' | 'danger'
  readonly size?: 'normal' | 'small'
  /** Why it cannot be pressed now; absent when it can. */
  readonly disabledReason?: string | undefined
  readonly isBusy?: boolean
  readonly icon?: ReactNode
  readonly children?: ReactNode
}

export function Button(props: ButtonProps) {
  const {
    variant = 'normal',
    size = 'normal',
    disabledReason,
    isBusy = false,
    icon,
    children,
    onClick,
    ...rest
  } = props
  const isOff = disabledReason !== undefined
  return (
    <button
      type="button"
      {...rest}
      className={`${styles.button} ${styles[variant]} ${styles[size]} ${rest.className ?? ''}`}
      aria-disabled={isOff || undefined}
      aria-busy={isBusy || undefined}
      title={disabledReason ?? rest.title}
      onClick={(event) => {
        if (!isOff && !isBusy) onClick?.(event)
      }}
    >
      {icon}
      {children}
      {isOff && <span className="visually-hidden"> ({disabledReason})</span>}
    </button>
  )
}
