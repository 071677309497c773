// A page of the settings: this device's preferences first, then its options, grouped as in the config file.
import { SearchX, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { ResultOf } from '../../../../base/wire/define'
import type { Contract } from '../../../../contract/contract'
import { isPending, type OptionView } from '../../../../contract/options'
import { Card } from '../../components/layout/Card'
import { type OptionWords, type TellOption, useOptionWords } from '../../i18n/option-words'
import { type Text, useFormat, useText } from '../../i18n/text'
import { type Answered, useAttempt, useRestart } from '../../state/answers/use-answer'
import { useApp, useCanControl, useEnvironment } from '../../state/environment'
import { Button, Failure } from '../../widgets/controls/Button'
import { RestartDialog } from '../../widgets/controls/RestartDialog'
import { AnswerState, EmptyState, Skeleton } from '../../widgets/facts/States'
import { OptionField } from './OptionField'
import { groupsOf, groupsWith, type OptionGroup, type PageName, type PartName, partOf, parts } from './option-pages'
import styles from './Settings.module.css'

export type Options = Answered<ResultOf<Contract, 'app.options'>>

interface OptionPageProps {
  readonly page: PageName
  readonly options: Options
  readonly children?: ReactNode
  /** Options of other pages that also belong here. */
  readonly also?: readonly string[]
  /** Search text for all pages; empty: the page is shown. */
  readonly search?: string
}

export function OptionPage({ page, options, children, also = [], search = '' }: OptionPageProps) {
  const t = useText()
  const tell = useOptionWords()
  const draft = useDraft(optionsOf(options), options.retry)
  const canControl = useCanControl()
  const isLink = useApp((state) => (state.info?.link ?? null) !== null)
  if (isLink) return <div className={styles.cards}>{children}</div>
  const fault = <AnswerState answer={options} failed="ui.settings.optionsFailed" lines={8} />
  if (options.value === null || tell === null)
    return (
      <div className={styles.cards}>
        {children}
        {options.value === null ? fault : <Skeleton lines={8} />}
      </div>
    )
  const { sections, file } = options.value
  const all = optionsOf(options)
  const groups = search === '' ? groupsOf(page, sections) : groupsWith(search, sections, tell)
  const guests = all.filter(({ key }) => also.includes(key))
  return (
    <div className={styles.cards}>
      {fault}
      {!canControl && <p className={styles.reason}>{t('ui.settings.readOnly')}</p>}
      {search === '' && children}
      {search !== '' && groups.length === 0 && (
        <EmptyState icon={SearchX} title={t('ui.settings.noMatch', { text: search })} />
      )}
      {guests.length > 0 && (
        <Card title={t(`ui.settings.page.${page}`)} testId="options">
          <Fields options={guests} tell={tell} draft={draft} hasFlags={false} />
        </Card>
      )}
      {groups.map((group) => (
        <Group key={group.name} group={group} tell={tell} draft={draft} isFound={search !== ''} />
      ))}
      {(groups.length > 0 || guests.length > 0) && (
        <p className={styles.reason}>
          {t('ui.settings.optionsFile')} <code>{file}</code>
        </p>
      )}
      {canControl && <SaveBar options={all} draft={draft} />}
    </div>
  )
}

/** Of all pages. */
export function optionsOf({ value }: Options): readonly OptionView[] {
  return value?.sections.flatMap(({ options }) => options) ?? []
}

interface GroupProps {
  /** Searched for, perhaps by the name on the command line. */
  readonly isFound: boolean
  readonly group: OptionGroup
  readonly tell: TellOption
  readonly draft: Draft
}

function Group({ group: { name, title, first, more }, tell, draft, isFound }: GroupProps) {
  const t = useText()
  const isTouched = more.some(({ key }) => Object.hasOwn(draft.values, key))
  return (
    <Card title={isNamed(name) ? t(`ui.settings.group.${name}`) : title} testId={`options-${name}`}>
      <Fields options={first} tell={tell} draft={draft} hasFlags={isFound} />
      {more.length > 0 && (
        <details className={styles.more} open={isTouched || undefined}>
          <summary>{t('ui.settings.more', { count: more.length })}</summary>
          <Fields options={more} tell={tell} draft={draft} hasFlags />
        </details>
      )}
    </Card>
  )
}

const named = [
  ...(['app', 'desktop', 'chain', 'node', 'p2p', 'rpc', 'accounts', 'keystore'] as const),
  ...(['txpool', 'miner', 'gpu', 'tuning', 'money', 'pool', 'rigs', 'stratum'] as const),
  ...(['alerts', 'api', 'signer', 'update'] as const),
]

function isNamed(name: string): name is (typeof named)[number] {
  return named.some((known) => known === name)
}

interface FieldsProps {
  readonly options: readonly OptionView[]
  readonly tell: (option: OptionView) => OptionWords
  readonly draft: Draft
  readonly hasFlags: boolean
}

function Fields({ options, tell, draft, hasFlags }: FieldsProps) {
  const canControl = useCanControl()
  const { unitName } = useFormat()
  return (
    <>
      {options.map((option) => (
        <OptionField
          key={option.key}
          option={{ ...option, unit: option.unit === null ? null : unitName(option.unit) }}
          words={tell(option)}
          draft={draft.values[option.key]}
          error={draft.errors[option.key] ?? ''}
          canEdit={canControl && option.locked === ''}
          hasFlag={hasFlags}
          onChange={(value) => draft.change(option.key, value)}
        />
      ))}
    </>
  )
}

function SaveBar({ options, draft }: { readonly options: readonly OptionView[]; readonly draft: Draft }) {
  const t = useText()
  const restart = useRestart()
  const [isAsking, setAsking] = useState(false)
  const changed = partsOf(options.filter(({ key }) => Object.hasOwn(draft.values, key)))
  const pending = partsOf(options.filter(isPending))
  const concerned = parts.filter((part) => changed.includes(part) || pending.includes(part))
  const apply = async (): Promise<void> => {
    if (draft.count === 0 || (await draft.save())) await restart.ask()
  }
  if (draft.count === 0 && pending.length === 0 && draft.saved === 0) return null
  return (
    <div className={styles.saveBar} data-testid="save-bar">
      <SaveText draft={draft} concerned={concerned} isRestarting={restart.state === 'asked'} />
      <Failure text={restart.reason === '' ? draft.failure : restart.reason} />
      {draft.count > 0 && (
        <>
          <Button isBusy={draft.isSaving} onClick={draft.discard}>
            {t('ui.settings.discard')}
          </Button>
          <Button
            variant={concerned.length > 0 ? 'normal' : 'primary'}
            data-testid="options-save"
            needsContact
            isBusy={draft.isSaving}
            onClick={() => void draft.save()}
          >
            {t(draft.isSaving ? 'ui.settings.saving' : 'ui.settings.save')}
          </Button>
        </>
      )}
      {draft.undo !== null && <UndoButton undo={draft.undo} isBusy={draft.isSaving} />}
      {concerned.length > 0 && (
        <Button
          variant="primary"
          data-testid="options-apply"
          needsContact
          isBusy={draft.isSaving || restart.state === 'asked'}
          onClick={() => setAsking(true)}
        >
          {t('ui.settings.applyRestart')}
        </Button>
      )}
      {isAsking && <RestartDialog onConfirm={() => void apply()} onClose={() => setAsking(false)} />}
    </div>
  )
}

function UndoButton({ undo, isBusy }: { readonly undo: () => void; readonly isBusy: boolean }) {
  const t = useText()
  return (
    <Button data-testid="options-undo" icon={<Undo2 aria-hidden="true" />} needsContact isBusy={isBusy} onClick={undo}>
      {t('ui.pause.undo')}
    </Button>
  )
}

interface SaveTextProps {
  readonly draft: Draft
  readonly concerned: readonly PartName[]
  readonly isRestarting: boolean
}

function SaveText({ draft, concerned, isRestarting }: SaveTextProps) {
  const t = useText()
  return (
    <div className={styles.saveText} role="status">
      {draft.count > 0 && <p>{t('ui.settings.changes', { count: draft.count })}</p>}
      {draft.saved > 0 && <p data-testid="options-saved">{t('ui.settings.saved', { count: draft.saved })}</p>}
      {concerned.length > 0 && (
        <p className={styles.reason} data-testid="restart-needed">
          {t(draft.count > 0 ? 'ui.settings.willRestart' : 'ui.settings.waitsForRestart', {
            parts: nameParts(concerned, t),
          })}
        </p>
      )}
      {isRestarting && <p>{t('ui.restart.restarting')}</p>}
    </div>
  )
}

function partsOf(options: readonly OptionView[]): readonly PartName[] {
  const found = options.map(partOf)
  return parts.filter((part) => found.includes(part))
}

function nameParts(found: readonly PartName[], t: Text): string {
  return found.map((part) => t(`ui.settings.part.${part}`)).join(', ')
}

/** By key: as it would be typed, or null for the default. */
type DraftValues = Readonly<Record<string, string | null>>

type Draft = ReturnType<typeof useDraft>

/** @param options as the program last reported them */
function useDraft(options: readonly OptionView[], onSaved: () => Promise<void>) {
  const { backend } = useEnvironment()
  const [values, setValues] = useState<DraftValues>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const { isBusy: isSaving, failure, attempt, run } = useAttempt()
  const startedAt = useApp((state) => state.info?.startedAt ?? 0)
  const [saved, setSaved] = useState({ count: 0, startedAt: 0 })
  /** What the file contained before the last save, newest change first. */
  const [replaced, setReplaced] = useState<readonly (readonly [key: string, before: string | null])[]>([])
  const changes = Object.entries(values)

  /** @param value undefined discards the change */
  const change = (key: string, value: string | null | undefined): void => {
    setSaved({ count: 0, startedAt })
    setReplaced([])
    setErrors(({ [key]: _gone, ...others }) => others)
    setValues(({ [key]: _old, ...others }) => (value === undefined ? others : { ...others, [key]: value }))
  }
  const saveOne = async (key: string, value: string | null): Promise<string> => {
    try {
      await backend.call('app.setOption', { key, value })
      return ''
    } catch (error: unknown) {
      return messageOf(error)
    }
  }
  const write = async (wanted: Parameters<typeof writeAll>[0]): Promise<readonly Refused[]> => {
    const refused = await writeAll(wanted, saveOne)
    await onSaved()
    setErrors(Object.fromEntries(refused.map(({ key, error }) => [key, error])))
    return refused
  }
  /** True if nothing was refused. Some options are confirmed in a dialog of the system. */
  const save = async (): Promise<boolean> => {
    let refused = 0
    const keys = changes.map(([key]) => key)
    const before = replacedBy(keys, options)
    const work = async (): Promise<void> => {
      const open = await write(changes)
      setValues(Object.fromEntries(open.map(({ key, value }) => [key, value])))
      setSaved({ count: changes.length - open.length, startedAt })
      setReplaced(before.filter(([key]) => !open.some((one) => one.key === key)))
      refused = open.length
    }
    return (await attempt(work, undefined, true)) && refused === 0
  }
  const discard = (): void => {
    setValues({})
    setErrors({})
  }
  const undoAll = async (): Promise<void> => {
    await write(replaced)
    setReplaced([])
    setSaved({ count: 0, startedAt })
  }
  // what was saved before the last restart is in effect by now
  const savedNow = saved.startedAt === startedAt ? saved.count : 0
  const undo = savedNow > 0 && replaced.length > 0 ? (): void => run(undoAll, undefined, true) : null
  return { values, errors, isSaving, failure, saved: savedNow, count: changes.length, change, save, discard, undo }
}

interface Refused {
  readonly key: string
  readonly value: string | null
  readonly error: string
}

/** Some are only valid together: refused ones are tried again while any was accepted. @param write says why refused */
async function writeAll(
  changes: readonly (readonly [key: string, value: string | null])[],
  write: (key: string, value: string | null) => Promise<string>,
): Promise<readonly Refused[]> {
  let open: readonly Refused[] = changes.map(([key, value]) => ({ key, value, error: '' }))
  for (let before = Number.POSITIVE_INFINITY; open.length > 0 && open.length < before; ) {
    before = open.length
    const tried: Refused[] = []
    for (const { key, value } of open) tried.push({ key, value, error: await write(key, value) })
    open = tried.filter(({ error }) => error !== '')
  }
  return open
}

/** A masked value can't be restored. */
function replacedBy(
  keys: readonly string[],
  options: readonly OptionView[],
): readonly (readonly [key: string, before: string | null])[] {
  return options
    .filter(({ key, kind }) => keys.includes(key) && kind !== 'secret')
    .map(({ key, inFile }) => [key, inFile] as const)
    .reverse()
}
