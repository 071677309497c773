// One listed pool: its state, and its actions.
import {
  ArrowRightLeft,
  ChevronDown,
  ChevronUp,
  CircleCheck,
  Clock,
  GripVertical,
  LoaderCircle,
  Lock,
  LockOpen,
  OctagonAlert,
  Pencil,
  Pickaxe,
  Trash2,
} from 'lucide-react'
import { type DragEvent, type KeyboardEvent, type ReactNode, useState } from 'react'
import type { PoolView } from '../../../../contract/pools'
import { ForeignText } from '../../components/values/HexText'
import { type Text, useText } from '../../i18n/text'
import { useApp } from '../../state/environment'
import { selectCanControl, selectIsOpen } from '../../state/stores/app-store'
import { Button } from '../../widgets/controls/Button'
import { troubleText } from '../../widgets/facts/pause-reason'
import { NextTry, PoolFigures, SinceLines } from './PoolCells'
import styles from './Pools.module.css'
import { TestButton, TestResult, useTest } from './PoolTest'
import type { PoolMove } from './use-move'
import type { PoolSwitch } from './use-switch'

const marks: Readonly<Record<PoolView['state'], typeof Pickaxe>> = {
  active: Pickaxe,
  connecting: LoaderCircle,
  idle: CircleCheck,
  unusable: OctagonAlert,
  planned: Clock,
}

interface PoolRowProps {
  readonly pool: PoolView
  readonly count: number
  readonly poolSwitch: PoolSwitch
  readonly poolMove: PoolMove
  readonly onAsk: (kind: 'switch' | 'edit' | 'remove') => void
}

/** Carries the dragged row's index, so that nothing else can be dropped here. */
const DRAG_TYPE = 'application/x-headframe-pool'

export function PoolRow({ pool, count, poolSwitch, poolMove, onAsk }: PoolRowProps) {
  const t = useText()
  const canControl = useApp(selectCanControl)
  const test = useTest()
  const { isOver, handlers } = useMoveHandlers(pool, poolMove)
  const { index } = pool
  return (
    <li
      data-testid={`pool-row-${index}`}
      data-state={pool.state}
      data-failing={isFailing(pool) ? '' : undefined}
      className={`${styles.rung} ${isOver ? styles.over : ''}`}
      aria-current={pool.active || undefined}
      {...handlers}
    >
      <Order pool={pool} count={count} poolMove={poolMove} />
      <div className={styles.what}>
        <p className={styles.address} title={pool.url}>
          <code className={styles.host}>
            <ForeignText text={pool.host} />
          </code>
          <Encryption pool={pool} />
        </p>
        <Headline pool={pool} />
        <SinceLines pool={pool} />
        <SwitchMessage pool={pool} poolSwitch={poolSwitch} />
        <TestResult test={test} />
        <PoolFigures pool={pool} />
      </div>
      {canControl && (
        <RowActions pool={pool} poolSwitch={poolSwitch} onAsk={onAsk}>
          <TestButton test={test} url="" index={index} name={t('ui.pools.testPool', { host: pool.host })} />
        </RowActions>
      )}
    </li>
  )
}

/** Something is known to be wrong with it, and it isn't mined on. */
function isFailing({ active, diagnosis }: PoolView): boolean {
  return !active && diagnosis !== null
}

/** Its state in two words, then what is wrong or how its last session ended, and when it is tried again. */
function Headline({ pool }: { readonly pool: PoolView }) {
  const t = useText()
  const fails = isFailing(pool)
  const Icon = fails ? OctagonAlert : marks[pool.state]
  const fault = faultText(pool, t)
  return (
    <>
      <p className={styles.headline} data-level={fails || pool.state === 'unusable' ? 'danger' : pool.state}>
        <Icon aria-hidden="true" />
        {t(fails ? 'ui.pools.failing' : `ui.pools.state.${pool.state}`)}
      </p>
      {fault !== '' && (
        <p className={styles.sentence}>
          <ForeignText text={fault} />
        </p>
      )}
      <NextTry pool={pool} />
    </>
  )
}

/** Moves a pool: Alt and an arrow anywhere in the row, or a row dropped here. */
function useMoveHandlers(pool: PoolView, poolMove: PoolMove) {
  const canControl = useApp(selectCanControl)
  const [isOver, setOver] = useState(false)
  const { index } = pool
  const isOurs = (event: DragEvent): boolean => canControl && event.dataTransfer.types.includes(DRAG_TYPE)
  const handlers = {
    onKeyDown: (event: KeyboardEvent): void => {
      const to = event.key === 'ArrowUp' ? index - 1 : event.key === 'ArrowDown' ? index + 1 : null
      if (!canControl || !event.altKey || to === null) return
      event.preventDefault()
      poolMove.begin(pool, to)
    },
    onDragOver: (event: DragEvent): void => {
      if (!isOurs(event)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: (): void => setOver(false),
    onDrop: (event: DragEvent): void => {
      setOver(false)
      if (!isOurs(event)) return
      event.preventDefault()
      poolMove.drop(Number(event.dataTransfer.getData(DRAG_TYPE)), index)
    },
  }
  return { isOver, handlers }
}

/** Its position, and the buttons to change it. */
function Order({ pool, count, poolMove }: Pick<PoolRowProps, 'pool' | 'count' | 'poolMove'>) {
  const t = useText()
  const canControl = useApp(selectCanControl)
  const { index, host } = pool
  const canMove = canControl && count > 1
  return (
    <div className={styles.order}>
      <span className={styles.place}>{index + 1}</span>
      {canMove && (
        <Button
          size="small"
          variant="quiet"
          draggable
          className={styles.grip}
          data-testid={`pool-grip-${index}`}
          aria-label={t('ui.pools.move', { host })}
          title={t('ui.pools.move', { host })}
          icon={<GripVertical aria-hidden="true" />}
          onDragStart={(event) => event.dataTransfer.setData(DRAG_TYPE, String(index))}
        />
      )}
      {canMove && <Steps pool={pool} count={count} poolMove={poolMove} />}
    </div>
  )
}

/** For users who neither drag nor know the keys. */
function Steps({ pool, count, poolMove }: Pick<PoolRowProps, 'pool' | 'count' | 'poolMove'>) {
  const t = useText()
  const isOpen = useApp(selectIsOpen)
  const { index, host } = pool
  return (
    <span className={styles.steps}>
      {index > 0 && (
        <Button
          size="small"
          variant="quiet"
          data-testid={`pool-up-${index}`}
          aria-label={t('ui.pools.up', { host })}
          disabledReason={isOpen ? undefined : t('ui.pause.noContact')}
          icon={<ChevronUp aria-hidden="true" />}
          onClick={() => poolMove.begin(pool, index - 1)}
        />
      )}
      {index < count - 1 && (
        <Button
          size="small"
          variant="quiet"
          data-testid={`pool-down-${index}`}
          aria-label={t('ui.pools.down', { host })}
          disabledReason={isOpen ? undefined : t('ui.pause.noContact')}
          icon={<ChevronDown aria-hidden="true" />}
          onClick={() => poolMove.begin(pool, index + 1)}
        />
      )}
    </span>
  )
}

type RowActionsProps = Pick<PoolRowProps, 'pool' | 'poolSwitch' | 'onAsk'> & { readonly children: ReactNode }

function RowActions({ pool, poolSwitch, onAsk, children }: RowActionsProps) {
  const t = useText()
  const isOpen = useApp(selectIsOpen)
  const { state } = poolSwitch
  const isBusy = state.kind === 'pending'
  const noContact = isOpen ? undefined : t('ui.pause.noContact')
  return (
    <div className={styles.actions}>
      {!pool.active && pool.state !== 'planned' && (
        <Button
          size="small"
          data-testid={`pool-switch-${pool.index}`}
          data-state={state.kind !== 'idle' && state.index === pool.index ? state.kind : 'idle'}
          isBusy={isBusy}
          disabledReason={noContact}
          aria-label={t('ui.pools.switchTo', { host: pool.host })}
          icon={<ArrowRightLeft aria-hidden="true" />}
          onClick={() => onAsk('switch')}
        >
          {t(isBusy && state.index === pool.index ? 'ui.pools.switching' : 'ui.pools.switch')}
        </Button>
      )}
      {children}
      <Button
        size="small"
        variant="quiet"
        data-testid={`pool-edit-${pool.index}`}
        disabledReason={noContact}
        aria-label={t('ui.pools.editPool', { host: pool.host })}
        icon={<Pencil aria-hidden="true" />}
        onClick={() => onAsk('edit')}
      />
      <Button
        size="small"
        variant="quiet"
        data-testid={`pool-remove-${pool.index}`}
        disabledReason={pool.active ? t('ui.pools.removeActive') : noContact}
        aria-label={t('ui.pools.removePool', { host: pool.host })}
        icon={<Trash2 aria-hidden="true" />}
        onClick={() => onAsk('remove')}
      />
    </div>
  )
}

function SwitchMessage({ pool, poolSwitch }: Pick<PoolRowProps, 'pool' | 'poolSwitch'>) {
  const t = useText()
  const { state } = poolSwitch
  if (state.kind === 'idle' || state.kind === 'pending' || state.index !== pool.index) return null
  return (
    <p className={styles.failure} role="alert">
      {state.kind === 'failed'
        ? t('ui.pools.switchFailed', { reason: state.reason })
        : t('ui.pools.switchUnconfirmed', { host: state.host })}
    </p>
  )
}

function Encryption({ pool }: { readonly pool: PoolView }) {
  const t = useText()
  const text = t(pool.tls ? (pool.verified ? 'ui.pools.tls' : 'ui.pools.notVerified') : 'ui.pools.plain')
  const Icon = pool.tls && pool.verified ? Lock : LockOpen
  return (
    <span className={styles.tls} data-level={pool.tls && pool.verified ? 'ok' : 'warn'}>
      <Icon aria-hidden="true" />
      {text}
    </span>
  )
}

/** What is wrong with it now, or how its last session ended. */
function faultText({ diagnosis, lastFault }: PoolView, t: Text): string {
  return diagnosis === null ? lastFault : troubleText(diagnosis, t)
}
