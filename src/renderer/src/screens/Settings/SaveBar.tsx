// Unsaved changes, saved ones that wait for a restart, and the buttons for both.
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { isPending, type OptionView } from '../../../../contract/options'
import { type Text, useText } from '../../i18n/text'
import { useRestart } from '../../state/use-restart'
import { Button } from '../../widgets/controls/Button'
import { RestartDialog } from '../../widgets/controls/RestartDialog'
import { type PartName, partOf, parts } from './option-pages'
import styles from './Settings.module.css'
import type { Draft } from './use-draft'

interface SaveBarProps {
  /** On all pages. */
  readonly options: readonly OptionView[]
  readonly draft: Draft
}

export function SaveBar({ options, draft }: SaveBarProps) {
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
      {restart.state === 'refused' && (
        <p className={styles.bad} role="alert">
          {restart.reason}
        </p>
      )}
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

function UndoButton({ undo, isBusy }: { readonly undo: () => Promise<void>; readonly isBusy: boolean }) {
  const t = useText()
  return (
    <Button
      data-testid="options-undo"
      icon={<Undo2 aria-hidden="true" />}
      needsContact
      isBusy={isBusy}
      onClick={() => void undo()}
    >
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
