// The pools as a ladder in failover order, with the actions for each.

import { Undo2 } from 'lucide-react'
import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { PoolView } from '../../../../contract/pools'
import dialog from '../../components/layout/Dialog.module.css'
import { DialogModal, ModalClose } from '../../components/layout/Modal'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { useAttempt, useCall } from '../../state/answers/use-answer'
import { useEnvironment, useIsOpen, useOperation } from '../../state/environment'
import { selectPools } from '../../state/stores/program-store'
import { Button, Failure } from '../../widgets/controls/Button'
import { ConfirmDialog } from '../../widgets/controls/ConfirmDialog'
import { PoolFields, splitPool, type TypedPool, wholePool } from './PoolFields'
import { PoolRow } from './PoolRow'
import styles from './Pools.module.css'
import { TestButton, TestResult, useTest } from './PoolTest'
import { type Change, keptText, useMove } from './use-move'
import { type PoolSwitch, useSwitch } from './use-switch'

type Asked = { readonly kind: 'switch' | 'edit' | 'remove'; readonly pool: PoolView } | null

interface Removed {
  readonly undo: number
  readonly host: string
  readonly keptText: string
}

export function PoolTable() {
  const t = useText()
  const pools = useOperation(selectPools)
  const poolSwitch = useSwitch()
  const [asked, setAsked] = useState<Asked>(null)
  const [said, setSaid] = useState('')
  const { failure, attempt } = useAttempt()
  const change: Change = (work, failed) => {
    setSaid('')
    return attempt(async () => setSaid(await work()), failed)
  }
  const poolMove = useMove(change)
  const { removed, remove, undo, forget } = useRemoval(change)
  return (
    <>
      <ol className={styles.ladder} aria-label={t('ui.pools.list')}>
        {pools.map((pool) => (
          <PoolRow
            key={keyOf(pool, pools)}
            pool={pool}
            count={pools.length}
            poolSwitch={poolSwitch}
            poolMove={poolMove}
            onAsk={(kind) => setAsked({ kind, pool })}
          />
        ))}
      </ol>
      {removed !== null && (
        <RemovedPool key={removed.undo} host={removed.host} keptText={removed.keptText} onUndo={undo} onOver={forget} />
      )}
      <Failure text={failure} testId="pool-said" />
      {said !== '' && (
        <p className={styles.said} role="status" data-testid="pool-said">
          <ForeignText text={said} />
        </p>
      )}
      {asked?.kind === 'edit' && <EditPool pool={asked.pool} onSaid={setSaid} onClose={() => setAsked(null)} />}
      <Question asked={asked} onSwitch={poolSwitch.begin} onRemove={remove} onClose={() => setAsked(null)} />
    </>
  )
}

/** Removes a pool from the list, and can put it back for a few seconds. */
function useRemoval(onChange: Change) {
  const t = useText()
  const { backend } = useEnvironment()
  const [removed, setRemoved] = useState<Removed | null>(null)
  const remove = ({ index, host, url }: PoolView): void =>
    void onChange(async () => {
      const kept = await backend.call('miner.poolRemove', { index, shown: url })
      setRemoved({ undo: kept.undo, host, keptText: keptText(kept, t) })
      return ''
    }, 'ui.pools.removeFailed')
  const undo = (): void => {
    if (removed === null) return
    setRemoved(null)
    void onChange(async () => {
      const kept = await backend.call('miner.poolRestore', { undo: removed.undo })
      return `${t('ui.pools.restored', { host: removed.host })} ${keptText(kept, t)}`
    }, 'ui.pools.restoreFailed')
  }
  return { removed, remove, undo, forget: () => setRemoved(null) }
}

/** A row keeps its state when it moves; this distinguishes addresses that look the same. */
function keyOf({ url, index }: PoolView, pools: readonly PoolView[]): string {
  return pools.filter((pool) => pool.url === url).length === 1 ? url : `${url} ${index}`
}

interface QuestionProps {
  readonly asked: Asked
  readonly onSwitch: PoolSwitch['begin']
  readonly onRemove: (pool: PoolView) => void
  readonly onClose: () => void
}

function Question({ asked, onSwitch, onRemove, onClose }: QuestionProps) {
  const t = useText()
  const active = useOperation((state) => selectPools(state).find((pool) => pool.active))
  return (
    <>
      {asked?.kind === 'switch' && (
        <ConfirmDialog
          testId="pool-switch"
          title={t('ui.pools.switchTitle', { host: asked.pool.host })}
          action={t('ui.pools.switch')}
          onConfirm={() => onSwitch(asked.pool)}
          onClose={onClose}
        >
          {active === undefined ? t('ui.pools.switchTextNone') : t('ui.pools.switchText', { from: active.host })}
        </ConfirmDialog>
      )}
      {asked?.kind === 'remove' && (
        <ConfirmDialog
          testId="pool-remove"
          title={t('ui.pools.removeTitle', { host: asked.pool.host })}
          action={t('ui.pools.remove')}
          isDanger
          onConfirm={() => onRemove(asked.pool)}
          onClose={onClose}
        >
          {t('ui.pools.removeKept')}
        </ConfirmDialog>
      )}
    </>
  )
}

const UNDO_MS = 10_000

interface RemovedPoolProps {
  readonly host: string
  /** Says whether the change is in the config file. */
  readonly keptText: string
  readonly onUndo: () => void
  readonly onOver: () => void
}

/** For one removal: give each one its own `key`. */
function RemovedPool({ host, keptText, onUndo, onOver }: RemovedPoolProps) {
  const t = useText()
  const { clock } = useEnvironment()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time runs once, from the removal on
  useEffect(() => {
    const timer = clock.setTimeout(onOver, UNDO_MS)
    return () => timer.dispose()
  }, [])
  return (
    <div className={styles.removed} role="status" data-testid="pool-removed">
      <span>
        {t('ui.pools.removed', { host })} {keptText}
      </span>
      <Button size="small" data-testid="pool-undo" needsContact icon={<Undo2 aria-hidden="true" />} onClick={onUndo}>
        {t('ui.pause.undo')}
      </Button>
    </div>
  )
}

interface EditPoolProps {
  readonly pool: PoolView
  readonly onSaid: (said: string) => void
  readonly onClose: () => void
}

/** The pool as it was typed; until that arrives, the displayed one, which has no path. */
function usePool({ index, url }: PoolView) {
  const [changed, setTyped] = useState<TypedPool | null>(null)
  // Without an answer the displayed address stays, and saving reports the error.
  const { value } = useCall('miner.poolAddress', { index, shown: url })
  return { typed: changed ?? splitPool(value?.url ?? url), setTyped }
}

/** The typed address, its errors, its test, and how to save it. */
function useEditing({ pool, onSaid, onClose }: EditPoolProps) {
  const t = useText()
  const { backend } = useEnvironment()
  const { typed, setTyped } = usePool(pool)
  const [fault, setFault] = useState('')
  const { failure, run, forget } = useAttempt()
  const test = useTest()
  const { text: url, fault: wrong } = wholePool(typed)
  const change = (next: TypedPool): void => {
    setTyped(next)
    setFault('')
    forget()
    test.clear()
  }
  const save = (): void => {
    const missing = url === '' ? t('ui.pools.addEmpty') : wrong
    setFault(missing)
    if (missing !== '') return
    run(async () => {
      const kept = await backend.call('miner.poolEdit', { index: pool.index, shown: pool.url, url })
      onSaid(`${t('ui.pools.edited', { place: pool.index + 1 })} ${keptText(kept, t)}`)
      onClose()
    })
  }
  return { typed, url, error: fault === '' ? failure : fault, test, change, save }
}

function EditPool(props: EditPoolProps) {
  const { pool, onClose } = props
  const t = useText()
  const isOpen = useIsOpen()
  const { typed, url, error, test, change, save } = useEditing(props)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isOpen) save()
  }
  const { index } = pool
  return (
    <Frame title={t('ui.pools.editPool', { host: pool.host })} onClose={onClose}>
      <form className={styles.add} onSubmit={submit}>
        <PoolFields typed={typed} onChange={change} hint={t('ui.pools.editHint')} error={error} name="pool-edit" />
        {pool.active && <p className={styles.warning}>{t('ui.pools.editActive')}</p>}
        <TestResult test={test} />
        <div className={dialog.actions}>
          <TestButton
            test={test}
            url={url}
            index={index}
            disabledReason={url === '' ? t('ui.pools.addEmpty') : undefined}
          />
          <ModalClose asChild>
            <Button>{t('ui.common.cancel')}</Button>
          </ModalClose>
          <Button type="submit" variant="primary" data-testid="pool-edit-save" needsContact>
            {t('ui.settings.save')}
          </Button>
        </div>
      </form>
    </Frame>
  )
}

interface FrameProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

function Frame({ title, onClose, children }: FrameProps) {
  return (
    <DialogModal title={title} testId="pool-edit" onClose={onClose}>
      {children}
    </DialogModal>
  )
}
