// One option: its value and the source of the value, what it accepts, what a change requires, and why it may be locked.
import { Lock, Undo2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { NOTICE_KINDS } from '../../../../config/options/desktop'
import type { OptionView } from '../../../../contract/options'
import type { OptionWords } from '../../i18n/option-words'
import { type Text, type TextKey, useText } from '../../i18n/text'
import { Button, Failure } from '../../widgets/controls/Button'
import { partOf } from './option-pages'
import styles from './Settings.module.css'

interface OptionFieldProps {
  readonly option: OptionView
  readonly words: OptionWords
  /** The value in the form; null = use the default, undefined = unchanged. */
  readonly draft: string | null | undefined
  /** Why it was refused; empty if it wasn't. */
  readonly error: string
  readonly canEdit: boolean
  readonly hasFlag: boolean
  readonly onChange: (value: string | null | undefined) => void
}

export function OptionField(props: OptionFieldProps) {
  const { option, words, draft, error, canEdit, hasFlag, onChange } = props
  const t = useText()
  const id = useId()
  const noteId = `${id}-note`
  const now = option.kind === 'secret' ? '' : (option.inFile ?? option.value ?? '')
  const shown = draft === undefined ? now : (draft ?? option.defaultValue ?? '')
  const change = (value: string): void => onChange(value === now ? undefined : value)
  const canReset = canEdit && (option.inFile !== null || typeof draft === 'string') && draft !== null
  const hasError = error !== ''
  const control = (
    <Control
      id={id}
      noteId={noteId}
      option={option}
      canEdit={canEdit}
      hasError={hasError}
      value={shown}
      onChange={change}
    />
  )
  return (
    <div
      className={styles.option}
      data-testid={`option-${option.key}`}
      data-state={draft === undefined ? 'same' : 'changed'}
    >
      <div className={styles.what}>
        <div className={styles.optionHead}>
          <label htmlFor={id} id={`${id}-name`} title={`--${option.flag}`}>
            {words.label === '' ? `--${option.flag}` : words.label}
          </label>
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
        {words.help !== `${words.label}.` && <p className={styles.help}>{unbroken(words.help)}</p>}
      </div>
      <div className={styles.how}>
        {control}
        <Notes id={noteId} option={option} words={words} error={error} hasFlag={hasFlag} />
      </div>
    </div>
  )
}

/** Flags and hours of the day, with their brackets and the mark after them: a hyphen at the end of a line looks like that of a broken word. */
const WHOLE = /([(（]?(?:--[\w.]+(?:=[\w.,-]*\w)?|(?:[a-z-]+@)?\d\d:\d\d-[\w:@,-]*\d)[)）]?[.,;:。，；：、]?)/

/** Such pieces stay in one line; degrees and "=" stay with what they follow. */
function unbroken(text: string): readonly ReactNode[] {
  const held = text.replace(/ (?=°C|= )/g, '\u00a0')
  return held.split(WHOLE).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one constant text have no other identity
      <span key={index} className={styles.flag}>
        {part}
      </span>
    ),
  )
}

interface NotesProps extends Pick<OptionFieldProps, 'option' | 'words' | 'error' | 'hasFlag'> {
  readonly id: string
}

function Notes({ id, option, words, error, hasFlag }: NotesProps) {
  const t = useText()
  const about = [...notes(option, words, t), ...(hasFlag ? [`--${option.flag}`] : [])]
  return (
    <div id={id} className={styles.notes}>
      <Failure text={error} />
      {words.danger !== null && <p className={styles.danger}>{t('ui.settings.careful', { text: words.danger })}</p>}
      {about.length > 0 && <p>{unbroken(about.join(' · '))}</p>}
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

/** The control to change it with, by its kind. What can't be edited is plain text. */
function Control({ id, noteId, option, value, canEdit, hasError, onChange }: ControlProps) {
  const t = useText()
  const common = { id, 'aria-describedby': noteId, 'aria-invalid': hasError || undefined }
  if (!canEdit)
    return (
      <output id={id} aria-describedby={noteId} className={styles.fixed}>
        {option.value === null
          ? t('ui.settings.noValue')
          : [option.value, option.unit].filter((part) => part !== null).join('\u00a0')}
      </output>
    )
  if (option.key === 'desktop.notify')
    return <NoticeKinds labelId={`${id}-name`} noteId={noteId} value={value} onChange={onChange} />
  if (option.kind === 'switch')
    return (
      <input
        {...common}
        type="checkbox"
        className={styles.toggle}
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
    <span className={styles.field}>
      <input
        {...common}
        type={isSecret ? 'password' : 'text'}
        inputMode={option.kind === 'number' ? 'numeric' : undefined}
        autoComplete="off"
        spellCheck={false}
        className={`${styles.input} ${option.kind === 'number' ? '' : styles.mono}`}
        placeholder={isSecret ? (option.value ?? t('ui.settings.notSet')) : t('ui.settings.notSet')}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      {option.unit !== null && <span className={styles.unit}>{option.unit}</span>}
    </span>
  )
}

function lockText(option: OptionView, t: Text): string {
  if (option.locked === 'machine') return t('ui.settings.lockedMachine')
  return t('ui.settings.lockedSource', { name: option.source.name })
}

/** A range in words, in every language; other kinds of values in the config's own words. */
export function acceptedText({ expected, unit }: OptionView, words: OptionWords, t: Text): string {
  const [, from, to] = /^in (-?\d+)\.\.(\d+)$/.exec(expected) ?? []
  if (from === undefined || to === undefined) return t('ui.settings.accepted', { expected: words.expected })
  return t('ui.common.range', { from, to: unit === null ? to : `${to}\u00a0${unit}` })
}

function defaultText({ defaultValue, kind }: OptionView, t: Text): string {
  if (defaultValue === null || defaultValue === '') return t('ui.settings.noValue')
  if (kind !== 'switch') return defaultValue
  return t(defaultValue === 'true' ? 'ui.settings.on' : 'ui.common.off')
}

/** What the user should know, most urgent first. Defaults that take effect immediately need no note. */
function notes(option: OptionView, words: OptionWords, t: Text): readonly string[] {
  const { source, value, inFile, kind, locked } = option
  const part = partOf(option)
  const isPicked = kind === 'switch' || kind === 'choice' || option.key === 'desktop.notify'
  const isLater = locked === '' && part !== null
  const isNew = isLater && inFile !== null && inFile !== value
  const isGone = isLater && source.kind === 'file' && inFile === null
  return [
    ...(isNew ? [t('ui.settings.nextStart', { value: inFile })] : []),
    ...(isGone ? [t('ui.settings.removedNext')] : []),
    ...(kind === 'secret' && locked === '' ? [t('ui.settings.secretHint')] : []),
    ...(isPicked ? [] : [acceptedText(option, words, t)]),
    ...(source.kind === 'default'
      ? []
      : [
          t('ui.settings.default', { value: defaultText(option, t) }),
          t(`ui.settings.from.${source.kind}`, { name: source.name }),
        ]),
    ...(part === null ? [] : [t('ui.settings.applies.restart', { part: t(`ui.settings.part.${part}`) })]),
  ]
}

/** The option's value for no notifications. */
const NONE = 'none'
const kinds: readonly string[] = NOTICE_KINDS.filter((kind) => kind !== NONE)

/** A kind without a name here is shown by its raw word. */
const names: Readonly<Record<string, TextKey>> = {
  approval: 'ui.settings.notice.approval',
  heat: 'ui.settings.notice.heat',
  fault: 'ui.settings.notice.fault',
  block: 'ui.settings.notice.block',
  pool: 'ui.settings.notice.pool',
  rig: 'ui.settings.notice.rig',
  'side-block': 'ui.notice.kind.sideBlock',
  reward: 'ui.notice.kind.reward',
  warning: 'ui.notice.kind.warning',
  node: 'ui.notice.kind.node',
  disk: 'ui.notice.kind.disk',
  report: 'ui.notice.kind.report',
}

interface NoticeKindsProps {
  readonly labelId: string
  readonly noteId: string
  /** Comma-separated, as the option has it. */
  readonly value: string
  readonly onChange: (value: string) => void
}

function NoticeKinds({ labelId, noteId, value, onChange }: NoticeKindsProps) {
  const t = useText()
  const chosen = value.split(',').map((word) => word.trim())
  const set = (kind: string, isOn: boolean): void => {
    const next = kinds.filter((each) => (each === kind ? isOn : chosen.includes(each)))
    onChange(next.join(',') || NONE)
  }
  return (
    <fieldset className={styles.kinds} aria-labelledby={labelId} aria-describedby={noteId}>
      {kinds.map((kind) => (
        <label key={kind} className={styles.kind}>
          <input
            type="checkbox"
            checked={chosen.includes(kind)}
            onChange={(event) => set(kind, event.target.checked)}
          />
          <span>{names[kind] === undefined ? kind : t(names[kind])}</span>
        </label>
      ))}
    </fieldset>
  )
}
