// The page of one rig: its state, its GPUs, and its history. Sends commands if the rig accepts them from here.
import { Pencil, RotateCw, Server, Trash2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { RigView } from '../../../../../contract/rigs'
import { Failure } from '../../../components/faults/Failure'
import { CopyButton, ForeignText } from '../../../components/values/HexText'
import { useText } from '../../../i18n/text'
import { goTo, hrefOf } from '../../../navigation/router'
import { useAttempt } from '../../../state/answers/use-attempt'
import { useApp, useEnvironment, useOperation } from '../../../state/environment'
import { selectCanControl } from '../../../state/stores/app-store'
import { selectRig } from '../../../state/stores/operation-store'
import { Button } from '../../../widgets/controls/Button'
import { ConfirmDialog } from '../../../widgets/controls/ConfirmDialog'
import { EmptyState, Skeleton } from '../../../widgets/facts/States'
import { BackLink } from '../../BackLink'
import { Screen } from '../../Screen'
import { NotKept } from '../NotKept'
import { RigCard } from '../RigCard'
import { RigForm } from '../RigForm'
import styles from '../Rigs.module.css'
import { RigCharts } from './RigCharts'
import { RigGpus } from './RigGpus'
import { RigPause, RigPauseMessage } from './RigPause'
import { accessOf, refusalText, takesCommands } from './rig-commands'
import { createRigControls, type RigControls } from './rig-controls'

export function RigDetail({ name }: { readonly name: string }) {
  const t = useText()
  const rig = useOperation(selectRig(name))
  const isKnown = useOperation((state) => state.rigs !== null)
  return (
    <>
      <BackLink route="/rigs">{t('ui.nav.rigs')}</BackLink>
      {!isKnown && <Skeleton lines={6} />}
      {isKnown && rig === undefined && <EmptyState icon={Server} title={t('ui.rigs.noSuch', { name })} />}
      {rig !== undefined && <Known rig={rig} />}
    </>
  )
}

function Known({ rig }: { readonly rig: RigView }) {
  const t = useText()
  const all = useRigControls(rig.name)
  const canControl = useApp(selectCanControl)
  const access = accessOf(rig)
  const controls = canControl && (access === 'open' || access === 'offline') ? all : null
  return (
    <Screen title={<ForeignText text={rig.name} />} actions={<RigTools rig={rig} />}>
      {controls !== null && <RigOrders rig={rig} controls={controls} />}
      {controls === null && canControl && <WhyReadOnly rig={rig} />}
      <NotKept />
      <RigCard rig={rig} />
      {rig.figures === null ? (
        <EmptyState icon={Server} title={t('ui.rigs.noFigures')} />
      ) : (
        <RigGpus rig={rig} controls={controls} />
      )}
      {rig.figures !== null && takesCommands(rig) && <RigCharts rig={rig} />}
    </Screen>
  )
}

/** Tells users with control here why this rig can't be controlled. */
function WhyReadOnly({ rig }: { readonly rig: RigView }) {
  const t = useText()
  const access = accessOf(rig)
  if (rig.worker !== null) return <p className={styles.note}>{t('ui.rigs.servedNote')}</p>
  if (rig.local || (access !== 'noControl' && access !== 'noToken')) return null
  return (
    <p className={styles.note} role="note" data-testid="rig-read-only" data-state={access}>
      {t(`ui.rigs.readOnly.${access}`)}
    </p>
  )
}

/** Lives while the page is open, and receives the rig's readings. */
function useRigControls(name: string): RigControls {
  const { backend, clock, stores } = useEnvironment()
  const [controls] = useState(() => createRigControls(name, { backend, clock }))
  useEffect(() => {
    const look = (): void => {
      const rig = selectRig(name)(stores.operation.getState())
      if (rig !== undefined) controls.observe(rig)
    }
    const stop = stores.operation.subscribe(look)
    return () => {
      stop()
      controls.dispose()
    }
  }, [controls, stores, name])
  return controls
}

/** All GPUs of the rig at once. */
function RigOrders({ rig, controls }: { readonly rig: RigView; readonly controls: RigControls }) {
  const t = useText()
  const gpus = rig.figures?.gpus ?? []
  const isPaused = gpus.length > 0 && gpus.every((gpu) => gpu.paused)
  const reason = isPaused ? [...new Set(gpus.map((gpu) => gpu.pauseReason))].join('; ') : ''
  return (
    <div className={styles.commands}>
      {gpus.length > 0 && (
        <RigPause
          controls={controls}
          target="all"
          isPaused={isPaused}
          reason={reason}
          name={t('ui.rigs.allOf', { rig: rig.name })}
          testId="rig-pause"
        />
      )}
      <Restart name={rig.name} />
      <RigPauseMessage controls={controls} target="all" />
    </div>
  )
}

function Restart({ name }: { readonly name: string }) {
  const t = useText()
  const { backend } = useEnvironment()
  const [isAsking, setAsking] = useState(false)
  const { isBusy, failure, run } = useAttempt()
  /** Why it was refused, empty if it wasn't; null before an answer. */
  const [refusal, setRefusal] = useState<string | null>(null)
  const restart = async (): Promise<void> => {
    setRefusal(null)
    const { results } = await backend.call('miner.rigCommand', { rigs: [name], action: 'restart', gpu: null })
    const failed = results.find(({ error }) => error !== '')
    setRefusal(failed === undefined ? '' : refusalText(failed, t))
  }
  return (
    <>
      <Button
        size="small"
        needsContact
        isBusy={isBusy}
        data-testid="rig-restart"
        icon={<RotateCw aria-hidden="true" />}
        onClick={() => setAsking(true)}
      >
        {t('ui.rigs.command.restart')}
      </Button>
      {refusal === '' && (
        <p className={styles.done} role="status">
          {t('ui.rigs.restarting')}
        </p>
      )}
      <Failure text={failure === '' ? (refusal ?? '') : failure} />
      {isAsking && (
        <ConfirmDialog
          testId="rig-restart-confirm"
          title={t('ui.rigs.confirm.restart', { count: 1 })}
          action={t('ui.rigs.command.restart')}
          onConfirm={() => run(restart)}
          onClose={() => setAsking(false)}
        >
          <p>{t('ui.rigs.confirmText.restart')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

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

function RigTools({ rig }: { readonly rig: RigView }) {
  const t = useText()
  const { backend } = useEnvironment()
  const [open, setOpen] = useState<'form' | 'remove' | null>(null)
  const { failure, run } = useAttempt()
  const link = useLinkTo(rig)
  const remove = async (): Promise<void> => {
    await backend.call('miner.rigRemove', { name: rig.name })
    goTo('/rigs')
  }
  return (
    <>
      <span className={styles.copyLink}>
        {t('ui.rigs.link')}
        <CopyButton text={link} label={t('ui.rigs.link')} />
      </span>
      <EntryButtons rig={rig} onOpen={setOpen} />
      <Failure text={failure} />
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
          onConfirm={() => run(remove)}
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
