// Actions on a rig's entry: copy its link, change it, remove it.

import { Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { messageOf } from '../../../../../base/errors'
import type { RigView } from '../../../../../contract/rigs'
import { CopyButton, ForeignText } from '../../../components/values/HexText'
import { useText } from '../../../i18n/text'
import { goTo, hrefOf } from '../../../navigation/router'
import { useApp, useEnvironment, useOperation } from '../../../state/environment'
import { selectCanControl } from '../../../state/stores/app-store'
import { Button } from '../../../widgets/controls/Button'
import { ConfirmDialog } from '../../../widgets/controls/ConfirmDialog'
import { RigForm } from '../RigForm'
import styles from '../Rigs.module.css'
import { takesCommands } from './rig-commands'

// An address at which someone else can open the page of a rig.

/**
 * In a browser, this page's own address; in a window, the address that serves it, otherwise the rig's own dashboard.
 */
function useLinkTo({ name, host }: Pick<RigView, 'name' | 'host'>): string {
  const api = useApp((state) => state.info?.endpoints.api ?? null)
  const page = hrefOf(`/rigs/${encodeURIComponent(name)}`)
  const { protocol, origin, pathname } = window.location
  if (protocol === 'http:' || protocol === 'https:') return `${origin}${pathname}${page}`
  return api === null ? `http://${host}/` : `http://${api}/${page}`
}

export function RigTools({ rig }: { readonly rig: RigView }) {
  const t = useText()
  const { backend } = useEnvironment()
  const [open, setOpen] = useState<'form' | 'remove' | null>(null)
  const [failure, setFailure] = useState('')
  const link = useLinkTo(rig)
  const remove = async (): Promise<void> => {
    try {
      await backend.call('miner.rigRemove', { name: rig.name })
      goTo('/rigs')
    } catch (error: unknown) {
      setFailure(messageOf(error))
    }
  }
  return (
    <>
      <span className={styles.copyLink}>
        {t('ui.rigs.link')}
        <CopyButton text={link} label={t('ui.rigs.link')} />
      </span>
      <EntryButtons rig={rig} onOpen={setOpen} />
      {failure !== '' && (
        <p className={styles.failed} role="alert">
          <ForeignText text={failure} />
        </p>
      )}
      {open === 'form' && (
        <RigForm
          rig={rig}
          onClose={() => setOpen(null)}
          onSaved={(name) => {
            setOpen(null)
            if (name !== rig.name) goTo(`/rigs/${encodeURIComponent(name)}`)
          }}
        />
      )}
      {open === 'remove' && (
        <ConfirmDialog
          testId="rig-remove-confirm"
          title={t('ui.rigs.removeTitle', { name: rig.name })}
          action={t('ui.rigs.remove')}
          isDanger
          onConfirm={() => void remove()}
          onClose={() => setOpen(null)}
        >
          <p>{t('ui.rigs.removeText')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface EntryButtonsProps {
  readonly rig: RigView
  readonly onOpen: (what: 'form' | 'remove') => void
}

/** Absent if nothing may be changed; entries from a rigs file are changed in that file. */
function EntryButtons({ rig, onOpen }: EntryButtonsProps) {
  const t = useText()
  const canControl = useApp(selectCanControl)
  const isEditable = useOperation((state) => state.rigs?.isEditable ?? false)
  if (!canControl || !isEditable || !takesCommands(rig)) return null
  if (rig.isFixed) return <span className={styles.soft}>{t('ui.rigs.fixed')}</span>
  return (
    <>
      <Button
        size="small"
        needsContact
        data-testid="rig-change"
        icon={<Pencil aria-hidden="true" />}
        onClick={() => onOpen('form')}
      >
        {t('ui.rigs.change')}
      </Button>
      <Button
        size="small"
        needsContact
        data-testid="rig-remove"
        icon={<Trash2 aria-hidden="true" />}
        onClick={() => onOpen('remove')}
      >
        {t('ui.rigs.remove')}
      </Button>
    </>
  )
}
