// One option: its value and where that comes from, what it accepts, what a change needs, and why it may be locked.
import { Lock, Undo2 } from 'lucide-react'
import { useId } from 'react'
import type { OptionView } from '../../../../contract/options'
import { Button } from '../../components/Button'
import type { OptionWords } from '../../i18n/option-words'
import { type Text, useText } from '../../i18n/text'
import { NoticeKinds } from './NoticeKinds'
import { partOf } from './option-pages'
import styles from './Settings.module.css'

export interface OptionFieldProps {
  readonly option: OptionView
  readonly words: OptionWords
  /** What the form holds; null = the default is wanted, undefined = nothing was changed. */
  readonly draft: string | null | undefined
  /** Why it was refused; empty when it was not. */
  readonly error: string
  readonly canEdit: boolean
  /** Undefined takes the change back. */
  readonly onChange: (value: string | null | undefined) => void
}

export function OptionField({ option, words, draft, error, canEdit, onChange }: OptionFieldProps) {
  const t = useText()
  const id = useId()
  const noteId = `${id}-note`
  const now = option.kind === 'secret' ? '' : (option.inFile ?? option.value ?? '')
  const shown = draft === undefined ? now : (draft ?? option.defaultValue ?? '')
  const change = (value: string): void => onChange(value === now ? undefined : value)
  const canReset = canEdit && (option.inFile !== null || typeof draft === 'string') && draft !== null
  return (
    <div
      className={styles.option}
      data-testid={`option-${option.key}`}
      data-state={draft === undefined ? 'same' : 'changed'}
    >
      <div className={styles.optionHead}>
        <label htmlFor={id} id={`${id}-name`}>
          {words.label === '' ? `--${option.flag}` : words.label}
        </label>
        <code className={styles.flag}>--{option.flag}</code>
        {option.locked !== '' && (
          <span className={styles.lock}>
            <Lock aria-hidden="true" />
            {lockText(option, t)}
          </span>
        )}
        {canReset && (
          <Button
            size="small"
            variant="quiet"
            icon={<Undo2 aria-hidden="true" />}
            aria-label={t('ui.settings.resetOption', { flag: words.label || option.flag })}
            onClick={() => onChange(option.inFile === null ? undefined : null)}
          >
            {t('ui.settings.reset')}
          </Button>
        )}
      </div>
      {words.help !== `${words.label}.` && <p className={styles.help}>{words.help}</p>}
      <Control
        id={id}
        noteId={noteId}
        option={option}
        value={shown}
        canEdit={canEdit}
        hasError={error !== ''}
        onChange={change}
      />
      <div id={noteId} className={styles.notes}>
        {error !== '' && (
          <p className={styles.bad} role="alert">
            {error}
          </p>
        )}
        {words.danger !== null && <p className={styles.danger}>{t('ui.settings.careful', { text: words.danger })}</p>}
        <p>{notes(option, words, t).join(' · ')}</p>
      </div>
    </div>
  )
}

interface ControlProps {
  readonly id: string
  readonly noteId: string
  readonly option: OptionView
  readonly value: string
  readonly canEdit: boolean
  readonly hasError: boolean
  readonly onChange: (value: string) => void
}

/** The one thing to change it with, by its kind. What cannot be edited is plain text. */
function Control({ id, noteId, option, value, canEdit, hasError, onChange }: ControlProps) {
  const t = useText()
  const common = { id, 'aria-describedby': noteId, 'aria-invalid': hasError || undefined }
  if (!canEdit)
    return (
      <output id={id} aria-describedby={noteId} className={styles.fixed}>
        {option.value ?? t('ui.settings.noValue')}
      </output>
    )
  if (option.key === 'desktop.notify')
    return <NoticeKinds labelId={`${id}-name`} noteId={noteId} value={value} onChange={onChange} />
  if (option.kind === 'switch')
    return (
      <input
        {...common}
        type="checkbox"
        className={styles.check}
        checked={value === 'true'}
        onChange={(event) => onChange(String(event.target.checked))}
      />
    )
  if (option.kind === 'choice')
    return (
      <select {...common} className={styles.input} value={value} onChange={(event) => onChange(event.target.value)}>
        {value === '' && <option value="">{t('ui.settings.notSet')}</option>}
        {option.choices?.map((word) => (
          <option key={word} value={word}>
            {word}
          </option>
        ))}
      </select>
    )
  const isSecret = option.kind === 'secret'
  return (
    <input
      {...common}
      type={isSecret ? 'password' : 'text'}
      inputMode={option.kind === 'number' ? 'numeric' : undefined}
      autoComplete="off"
      spellCheck={false}
      className={styles.input}
      placeholder={isSecret ? (option.value ?? t('ui.settings.notSet')) : t('ui.settings.notSet')}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function lockText(option: OptionView, t: Text): string {
  if (option.locked === 'machine') return t('ui.settings.lockedMachine')
  return t('ui.settings.lockedSource', { name: option.source.name })
}

/** What is to be known, the most pressing first. */
function notes(option: OptionView, words: OptionWords, t: Text): readonly string[] {
  const { source, value, inFile, defaultValue, unit, kind, locked } = option
  const { expected } = words
  const part = partOf(option)
  const isPicked = kind === 'switch' || kind === 'choice' || option.key === 'desktop.notify'
  const isLater = locked === '' && part !== null
  const isNew = isLater && inFile !== null && inFile !== value
  const isGone = isLater && source.kind === 'file' && inFile === null
  return [
    ...(isNew ? [t('ui.settings.nextStart', { value: inFile })] : []),
    ...(isGone ? [t('ui.settings.removedNext')] : []),
    ...(kind === 'secret' && locked === '' ? [t('ui.settings.secretHint')] : []),
    ...(isPicked ? [] : [t('ui.settings.accepted', { expected: unit === null ? expected : `${expected} (${unit})` })]),
    t('ui.settings.default', {
      value: defaultValue === null || defaultValue === '' ? t('ui.settings.noValue') : defaultValue,
    }),
    ...(source.kind === 'default' ? [] : [t(`ui.settings.from.${source.kind}`, { name: source.name })]),
    part === null
      ? t('ui.settings.applies.live')
      : t('ui.settings.applies.restart', { part: t(`ui.settings.part.${part}`) }),
  ]
}
