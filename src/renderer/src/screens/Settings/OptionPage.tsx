// A page of the settings: this device's preferences first, then its options, grouped as in the config file.
import { SearchX, Undo2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { isPending, type OptionView } from '../../../../contract/options'
import { Failure } from '../../components/faults/Failure'
import { Card } from '../../components/layout/Card'
import { type OptionWords, type TellOption, useOptionWords } from '../../i18n/option-words'
import { type Text, useFormat, useText } from '../../i18n/text'
import { useApp } from '../../state/environment'
import { selectCanControl } from '../../state/stores/app-store'
import { useRestart } from '../../state/use-restart'
import { Button } from '../../widgets/controls/Button'
import { RestartDialog } from '../../widgets/controls/RestartDialog'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/facts/States'
import { OptionField } from './OptionField'
import { groupsOf, groupsWith, type OptionGroup, type PageName, type PartName, partOf, parts } from './option-pages'
import styles from './Settings.module.css'
import { type Draft, useDraft } from './use-draft'
import type { Options } from './use-options'

interface OptionPageProps {
  readonly page: PageName
  readonly options: Options
  /** Above the options. */
  readonly children?: ReactNode
  /** Options of other pages that also belong here. */
  readonly also?: readonly string[]
  /** Search text for all pages; empty: the page is shown. */
  readonly search?: string
}

export function OptionPage({ page, options: { answer, ask }, children, also = [], search = '' }: OptionPageProps) {
  const t = useText()
  const tell = useOptionWords()
  const draft = useDraft(optionsOf(answer), ask)
  const canControl = useApp(selectCanControl)
  const isLink = useApp((state) => (state.info?.link ?? null) !== null)
  if (isLink) return <div className={styles.cards}>{children}</div>
  if (answer.kind === 'failed')
    return (
      <div className={styles.cards}>
        {children}
        <ErrorState title={t('ui.settings.optionsFailed')} reason={answer.reason} onRetry={() => void ask()} />
      </div>
    )
  if (answer.kind === 'loading' || tell === null)
    return (
      <div className={styles.cards}>
        {children}
        <Skeleton lines={8} />
      </div>
    )
  const { sections, file } = answer.value
  const all = optionsOf(answer)
  const groups = search === '' ? groupsOf(page, sections) : groupsWith(search, sections, tell)
  const guests = all.filter(({ key }) => also.includes(key))
  return (
    <div className={styles.cards}>
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

function optionsOf(answer: Options['answer']): readonly OptionView[] {
  return answer.kind === 'ready' ? answer.value.sections.flatMap(({ options }) => options) : []
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
  /** Shows their names on the command line. */
  readonly hasFlags: boolean
}

function Fields({ options, tell, draft, hasFlags }: FieldsProps) {
  const canControl = useApp(selectCanControl)
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

interface SaveBarProps {
  /** On all pages. */
  readonly options: readonly OptionView[]
  readonly draft: Draft
}

function SaveBar({ options, draft }: SaveBarProps) {
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
