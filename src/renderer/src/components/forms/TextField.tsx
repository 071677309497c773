// A line of text with its label, hint and error.
import { type ComponentProps, useId } from 'react'
import styles from './TextField.module.css'

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'onChange' | 'value' | 'className'> {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  /** Only for users who can't see where the field is. */
  readonly isLabelHidden?: boolean
  readonly hint?: string | undefined
  /** Empty when nothing is wrong. */
  readonly error?: string
  /** For addresses and hashes. */
  readonly isMono?: boolean
}

export function TextField(props: TextFieldProps) {
  const { label, value, onChange, isLabelHidden = false, hint, error = '', isMono = false, ...rest } = props
  const id = useId()
  const noteId = useId()
  const hasNote = error !== '' || hint !== undefined
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : styles.label}>
        {label}
      </label>
      <input
        type="text"
        autoComplete="off"
        spellCheck={false}
        {...rest}
        id={id}
        className={`${styles.input} ${isMono ? styles.mono : ''}`}
        value={value}
        aria-invalid={error !== '' || undefined}
        aria-describedby={hasNote ? noteId : undefined}
        onChange={(event) => onChange(event.target.value)}
      />
      {hasNote && (
        <p id={noteId} className={error === '' ? styles.hint : styles.error} role={error === '' ? undefined : 'alert'}>
          {error === '' ? hint : error}
        </p>
      )}
    </div>
  )
}
