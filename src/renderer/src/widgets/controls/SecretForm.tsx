// A form of passwords: sent as base64 once, and cleared whatever the result.
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { PasswordField, type PasswordFieldHandle } from '../../components/forms/PasswordField'
import { MIN_PASSWORD, toBase64 } from '../../format/secret-bytes'
import { useText } from '../../i18n/text'
import { useAttempt } from '../../state/answers/use-answer'
import { useNoContact } from '../facts/use-no-contact'
import { Button, Failure } from './Button'
import styles from './SecretForm.module.css'

interface SecretFieldSpec {
  readonly name: string
  readonly label: string
  /** A new password: typed twice, with a minimum length. */
  readonly isNew?: boolean
}

interface SecretFormProps {
  readonly testId: string
  readonly fields: readonly SecretFieldSpec[]
  readonly action: string
  readonly children?: ReactNode
  /** Why it can't be pressed yet, other than missing passwords. */
  readonly disabledReason?: string | undefined
  /** Base64 of each field's bytes by name; the result is shown. @throws an error whose message is shown */
  readonly onSubmit: (secrets: Readonly<Record<string, string>>) => Promise<string>
}

const AGAIN = ' again'

export function SecretForm(props: SecretFormProps) {
  const { testId, fields, action, children } = props
  const t = useText()
  const { handle, setLength, missing, isBusy, failure, done, submit } = useSecrets(props)
  const shown = fields.flatMap((field) =>
    field.isNew === true ? [field, { name: field.name + AGAIN, label: t('ui.password.repeat') }] : [field],
  )
  return (
    <form className={styles.form} data-testid={testId} onSubmit={submit}>
      {children}
      {shown.map(({ name, label }) => (
        <PasswordField
          key={name}
          label={label}
          testId={`${testId}-${name.replace(AGAIN, '-again')}`}
          handle={handle(name)}
          onChange={(length) => setLength(name, length)}
        />
      ))}
      <div className={styles.bar}>
        <Button
          type="submit"
          variant="primary"
          isBusy={isBusy}
          disabledReason={missing}
          data-testid={`${testId}-submit`}
        >
          {action}
        </Button>
        {failure === '' ? (
          <p
            role="status"
            className={styles.done}
            data-testid={`${testId}-outcome`}
            data-state={done === '' ? 'idle' : 'done'}
          >
            {done}
          </p>
        ) : (
          <Failure text={failure} testId={`${testId}-outcome`} />
        )}
      </div>
    </form>
  )
}

/** The life cycle of the fields: the length of each content, reading it once, and the result. */
function useSecrets({ fields, disabledReason, onSubmit }: SecretFormProps) {
  const t = useText()
  const handles = useRef(new Map<string, PasswordFieldHandle | null>())
  const [lengths, setLengths] = useState<Readonly<Record<string, number>>>({})
  const { isBusy, failure, run } = useAttempt()
  const [done, setDone] = useState('')
  const lacks = fields.some(({ name, isNew }) => (lengths[name] ?? 0) < (isNew === true ? MIN_PASSWORD : 1))
  const hasNew = fields.some(({ isNew }) => isNew)
  const lacking = lacks
    ? t(hasNew ? 'ui.secret.missingNew' : 'ui.approval.missingPassword', { count: MIN_PASSWORD })
    : undefined
  const missing = useNoContact() ?? disabledReason ?? lacking

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (missing !== undefined || isBusy) return
    const secrets = take(fields, handles.current)
    for (const handle of handles.current.values()) handle?.clear()
    setDone('')
    run(async () => {
      if (secrets === null) throw new Error(t('ui.password.different'))
      setDone(await onSubmit(secrets))
    })
  }
  return {
    handle: (name: string) => (handle: PasswordFieldHandle | null) => void handles.current.set(name, handle),
    setLength: (name: string, length: number) => setLengths((old) => ({ ...old, [name]: length })),
    missing,
    isBusy,
    failure,
    done,
    submit,
  }
}

/** Null if the two entries of a new password differ. */
function take(
  fields: readonly SecretFieldSpec[],
  handles: ReadonlyMap<string, PasswordFieldHandle | null>,
): Readonly<Record<string, string>> | null {
  const read = (name: string): string => {
    const bytes = handles.get(name)?.bytes() ?? new Uint8Array(0)
    const text = toBase64(bytes)
    bytes.fill(0)
    return text
  }
  if (fields.some(({ name, isNew }) => isNew === true && read(name) !== read(name + AGAIN))) return null
  return Object.fromEntries(fields.map(({ name }) => [name, read(name)]))
}
