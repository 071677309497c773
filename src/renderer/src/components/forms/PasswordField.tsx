// A password that lives only in the input element, not in React or a store: read as bytes once, cleared on leaving.
import { Eye } from 'lucide-react'
import { type KeyboardEvent, type Ref, useId, useImperativeHandle, useRef, useState } from 'react'
import { useText } from '../../i18n/text'
import styles from './PasswordField.module.css'

export interface PasswordFieldHandle {
  /** UTF-8 bytes of the field's content; the caller wipes them. */
  bytes(): Uint8Array
  clear(): void
  focus(): void
}

interface PasswordFieldProps {
  readonly label: string
  readonly testId: string
  readonly handle: Ref<PasswordFieldHandle>
  /** Shown below the field, and linked to it for screen readers. */
  readonly hint?: string
  readonly error?: string
  /** Called with the state of the content, never with the content. */
  readonly onChange: (length: number, isPrintableAscii: boolean) => void
}

export function PasswordField({ label, testId, handle, hint = '', error = '', onChange }: PasswordFieldProps) {
  const t = useText()
  const id = useId()
  const { input, isShown, isCapsLock, watchCapsLock, tell, hold } = usePasswordInput(handle, onChange)
  const notes = [error, isCapsLock ? t('ui.password.capsLock') : '', hint].filter((note) => note !== '')

  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <div className={styles.box}>
        <input
          ref={input}
          id={id}
          type={isShown ? 'text' : 'password'}
          data-testid={testId}
          autoComplete="off"
          autoCorrect="off"
          autoCapitalize="off"
          spellCheck={false}
          aria-describedby={`${id}-notes`}
          aria-invalid={error !== '' || undefined}
          onInput={tell}
          onKeyDown={watchCapsLock}
          onKeyUp={watchCapsLock}
        />
        <button
          type="button"
          className={styles.eye}
          aria-label={t('ui.password.holdToShow')}
          aria-pressed={isShown}
          {...hold}
        >
          <Eye aria-hidden="true" />
        </button>
      </div>
      <div id={`${id}-notes`} className={styles.notes} role="status">
        {notes.map((note) => (
          <p key={note} className={note === error ? styles.error : undefined}>
            {note}
          </p>
        ))}
      </div>
    </div>
  )
}

/** The input element's life cycle: what it reports of its content, and when it shows it as text. */
function usePasswordInput(handle: Ref<PasswordFieldHandle>, onChange: PasswordFieldProps['onChange']) {
  const input = useRef<HTMLInputElement>(null)
  const [isShown, setShown] = useState(false)
  const [isCapsLock, setCapsLock] = useState(false)

  useImperativeHandle(handle, () => ({
    bytes: () => new TextEncoder().encode(input.current?.value ?? ''),
    clear: () => {
      if (input.current !== null) input.current.value = ''
      setShown(false)
      onChange(0, true)
    },
    focus: () => input.current?.focus(),
  }))

  const watchCapsLock = (event: KeyboardEvent): void => setCapsLock(event.getModifierState('CapsLock'))
  const tell = (): void => {
    const text = input.current?.value ?? ''
    onChange(text.length, /^[\x20-\x7e]*$/.test(text))
  }
  const hold = {
    onPointerDown: () => setShown(true),
    onPointerUp: () => setShown(false),
    onPointerLeave: () => setShown(false),
    onKeyDown: (event: KeyboardEvent) => setShown(event.key === ' '),
    onKeyUp: () => setShown(false),
    onBlur: () => setShown(false),
  }
  return { input, isShown, isCapsLock, watchCapsLock, tell, hold }
}
