// The options of one section as a form: what is changed is kept until it is saved, and saved one by one into the config file.
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { OptionView } from '../../../../contract/options'
import { Button } from '../../components/Button'
import { Card } from '../../components/Card'
import { EmptyState, ErrorState, Skeleton } from '../../components/States'
import { useText } from '../../i18n/text'
import { selectCanControl, selectIsOpen } from '../../state/app-store'
import { useApp, useEnvironment } from '../../state/environment'
import { OptionField } from './OptionField'
import styles from './Settings.module.css'
import type { Options } from './use-options'

export interface OptionPageProps {
  readonly section: string
  readonly options: Options
}

/** By key: as it would be typed, or null for the default. */
export type Draft = Readonly<Record<string, string | null>>

export function OptionPage({ section, options: { answer, ask } }: OptionPageProps) {
  const t = useText()
  if (answer.kind === 'loading') return <Skeleton lines={8} />
  if (answer.kind === 'failed')
    return <ErrorState title={t('ui.settings.optionsFailed')} reason={answer.reason} onRetry={() => void ask()} />
  const found = answer.value.sections.find(({ name }) => name === section)
  if (found === undefined) return <EmptyState icon={SearchX} title={t('ui.shell.unknownPage')} />
  return (
    <div className={styles.cards}>
      <OptionForm title={found.title} options={found.options} onSaved={ask} />
      <p className={styles.reason}>
        {t('ui.settings.optionsFile')} <code>{answer.value.file}</code>
      </p>
    </div>
  )
}

interface OptionFormProps {
  readonly title: string
  readonly options: readonly OptionView[]
  readonly onSaved: () => Promise<void>
}

/** What was changed, what was refused, and how it is saved. */
function useDraft(onSaved: () => Promise<void>) {
  const { backend } = useEnvironment()
  const [draft, setDraft] = useState<Draft>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [isSaving, setSaving] = useState(false)
  const [saved, setSaved] = useState(0)
  const changes = Object.entries(draft)

  const change = (key: string, value: string | null | undefined): void => {
    setSaved(0)
    setErrors(({ [key]: _gone, ...others }) => others)
    setDraft(({ [key]: _old, ...others }) => (value === undefined ? others : { ...others, [key]: value }))
  }
  /** One after the other, since later ones may only be right together with earlier ones; what is refused stays in the form. */
  const save = async (): Promise<void> => {
    setSaving(true)
    const kept: Record<string, string | null> = {}
    const refused: Record<string, string> = {}
    for (const [key, value] of changes) {
      try {
        await backend.call('app.setOption', { key, value })
      } catch (error: unknown) {
        kept[key] = value
        refused[key] = messageOf(error)
      }
    }
    await onSaved()
    setDraft(kept)
    setErrors(refused)
    setSaved(changes.length - Object.keys(kept).length)
    setSaving(false)
  }
  const discard = (): void => {
    setDraft({})
    setErrors({})
  }
  return { draft, errors, isSaving, saved, count: changes.length, change, save, discard }
}

function OptionForm({ title, options, onSaved }: OptionFormProps) {
  const t = useText()
  const canControl = useApp(selectCanControl)
  const isOpen = useApp(selectIsOpen)
  const { draft, errors, isSaving, saved, count, change, save, discard } = useDraft(onSaved)
  return (
    <>
      {!canControl && <p className={styles.reason}>{t('ui.settings.readOnly')}</p>}
      <Card title={title} testId="options">
        {options.map((option) => (
          <OptionField
            key={option.key}
            option={option}
            draft={draft[option.key]}
            error={errors[option.key] ?? ''}
            canEdit={canControl && option.locked === ''}
            onChange={(value) => change(option.key, value)}
          />
        ))}
      </Card>
      {saved > 0 && (
        <p className={styles.saved} role="status" data-testid="options-saved">
          {t('ui.settings.saved', { count: saved })}
        </p>
      )}
      {count > 0 && (
        <div className={styles.saveBar} data-testid="save-bar">
          <span role="status">{t('ui.settings.changes', { count })}</span>
          <Button
            variant="primary"
            data-testid="options-save"
            isBusy={isSaving}
            disabledReason={isOpen ? undefined : t('ui.pause.noContact')}
            onClick={() => void save()}
          >
            {t(isSaving ? 'ui.settings.saving' : 'ui.settings.save')}
          </Button>
          <Button isBusy={isSaving} onClick={discard}>
            {t('ui.settings.discard')}
          </Button>
        </div>
      )}
    </>
  )
}
