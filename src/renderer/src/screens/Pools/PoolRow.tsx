// One listed pool: its state, and its actions.
import {
  ArrowRightLeft,
  ChevronDown,
  ChevronUp,
  CircleDashed,
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
import { SECOND_MS } from '../../../../base/time'
import type { PoolView } from '../../../../contract/pools'
import { Because, Stat, Stats, WhyButton, type WhyButtonProps } from '../../components/layout/Card'
import { ForeignText } from '../../components/values/HexText'
import { milliseconds } from '../../format/formatter'
import { type Text, useLanguage, useText } from '../../i18n/text'
import { useCanControl, useNow, useOperation } from '../../state/environment'
import { Button, Failure } from '../../widgets/controls/Button'
import { troubleText } from '../../widgets/facts/pause-reason'
import { Age, Value } from '../../widgets/facts/Value'
import { useSolvingRows } from '../../widgets/why/solving-rows'
import { type WhyRow, WhyText } from '../../widgets/why/WhyText'
import styles from './Pools.module.css'
import { TestButton, TestResult, useTest } from './PoolTest'
import type { PoolMove } from './use-move'
import type { PoolSwitch } from './use-switch'

const marks: Readonly<Record<PoolView['state'], typeof Pickaxe>> = {
  active: Pickaxe,
  connecting: LoaderCircle,
  idle: CircleDashed,
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
  const canControl = useCanControl()
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
  const canControl = useCanControl()
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

function Order({ pool, count, poolMove }: Pick<PoolRowProps, 'pool' | 'count' | 'poolMove'>) {
  const t = useText()
  const canControl = useCanControl()
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
  const { index, host } = pool
  return (
    <span className={styles.steps}>
      {index > 0 && (
        <Button
          size="small"
          variant="quiet"
          data-testid={`pool-up-${index}`}
          aria-label={t('ui.pools.up', { host })}
          needsContact
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
          needsContact
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
  const { state } = poolSwitch
  const isBusy = state.kind === 'pending'
  return (
    <div className={styles.actions}>
      {!pool.active && pool.state !== 'planned' && (
        <Button
          size="small"
          data-testid={`pool-switch-${pool.index}`}
          data-state={state.kind !== 'idle' && state.index === pool.index ? state.kind : 'idle'}
          isBusy={isBusy}
          needsContact
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
        needsContact
        aria-label={t('ui.pools.editPool', { host: pool.host })}
        icon={<Pencil aria-hidden="true" />}
        onClick={() => onAsk('edit')}
      />
      <Button
        size="small"
        variant="quiet"
        data-testid={`pool-remove-${pool.index}`}
        needsContact
        disabledReason={pool.active ? t('ui.pools.removeActive') : undefined}
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
  const { host } = state
  return (
    <Failure
      text={
        state.kind === 'failed'
          ? t('ui.pools.switchFailed', { reason: state.reason })
          : t('ui.pools.switchUnconfirmed', { host })
      }
    />
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

/** Only of the pool that is mined on, or was: a pool that waits has none. */
function PoolFigures({ pool }: { readonly pool: PoolView }) {
  const { t, format } = useLanguage()
  const why = usePoolWhy(pool)
  const { index, shares, latency, difficulty, active } = pool
  const poolHead = useOperation(({ poolHead: known }) => known?.delays ?? null)
  const hasMined = shares.accepted + shares.rejected + shares.lost > 0
  if (!active && latency === null && !hasMined) return null
  const notes = [
    shares.rejected > 0 ? t('ui.pools.rejectedCount', { rejected: shares.rejected }) : '',
    shares.lost > 0 ? t('ui.pools.lost', { lost: shares.lost }) : '',
  ]
  return (
    <>
      <Stats>
        <Stat
          label={<WhyButton {...why.button('poolShares')}>{t('ui.pools.shares')}</WhyButton>}
          unit={notes.filter((note) => note !== '').join(format.separator)}
          testId={`pool-shares-${index}`}
        >
          {format.text('count', shares.accepted)}
        </Stat>
        {latency !== null && (
          <Stat
            label={<WhyButton {...why.button('poolLatency')}>{t('ui.pools.latency')}</WhyButton>}
            unit={t('ui.pools.latencyMost', { most: milliseconds(format, latency.p95Ms) })}
          >
            <span data-testid={`pool-latency-${index}`} data-value={latency.medianMs}>
              {milliseconds(format, latency.medianMs)}
            </span>
          </Stat>
        )}
        {active && poolHead !== null && (
          <Stat label={t('ui.pools.freshWork')}>{milliseconds(format, poolHead.p50Ms)}</Stat>
        )}
        {difficulty !== null && (
          <Stat label={<WhyButton {...why.button('poolDifficulty')}>{t('ui.overview.jobDifficulty')}</WhyButton>}>
            <Value kind="difficulty" value={difficulty} testId={`pool-difficulty-${index}`} />
          </Stat>
        )}
      </Stats>
      {why.row}
    </>
  )
}

/** How often it was tried since it last worked, and when it is tried again. */
function NextTry({ pool: { tries, nextTryAt } }: { readonly pool: PoolView }) {
  const t = useText()
  const now = useNow()
  if (tries === 0 || nextTryAt === null) return null
  return (
    <p className={styles.fault}>
      {t('ui.pools.tries', { count: tries, seconds: Math.max(0, Math.ceil((nextTryAt - now) / SECOND_MS)) })}
    </p>
  )
}

/** Since when it is connected, and why it became the active one. */
function SinceLines({ pool: { connectedAt, lastSwitch, index } }: { readonly pool: PoolView }) {
  const t = useText()
  return (
    <>
      {connectedAt !== null && <Connected since={connectedAt} index={index} />}
      {lastSwitch !== null && (
        <p className={styles.fault} data-testid={`pool-last-switch-${index}`} data-state={lastSwitch.cause}>
          {t('ui.pools.lastSwitch')} <Age time={lastSwitch.at} />
          {': '}
          <ForeignText text={switchText(lastSwitch, t)} />
        </p>
      )}
    </>
  )
}

function Connected({ since, index }: { readonly since: number; readonly index: number }) {
  const { t, format } = useLanguage()
  const seconds = Math.max(0, (useNow() - since) / SECOND_MS)
  return (
    <p className={styles.fault} data-testid={`pool-since-${index}`} title={format.instant(since)}>
      {t('ui.pools.connectedFor', { duration: format.text('duration', seconds) })}
    </p>
  )
}

function switchText(
  { cause, from, reason }: NonNullable<PoolView['lastSwitch']>,
  t: ReturnType<typeof useText>,
): string {
  if (cause === 'failed' && reason !== '') return t('ui.pools.switchFailedOver', { from, reason })
  return t(`ui.pools.switchCause.${cause}`, { from })
}

const FIGURES = { poolLatency: useLatencyRows, poolDifficulty: useDifficultyRows, poolShares: useShareRows } as const

type Figure = keyof typeof FIGURES

interface PoolWhyState {
  readonly button: (of: Figure) => Omit<WhyButtonProps, 'children'>
  /** What stands below the figures; null while none is open. */
  readonly row: ReactNode
}

function usePoolWhy(pool: PoolView): PoolWhyState {
  const [open, setOpen] = useState<Figure | null>(null)
  return {
    button: (of) => ({ isOpen: open === of, onToggle: () => setOpen(open === of ? null : of) }),
    row: open !== null && (
      <div className={styles.why} data-testid={`pool-why-${pool.index}`}>
        <Because>
          <Explanation key={open} of={open} pool={pool} />
        </Because>
      </div>
    ),
  }
}

function Explanation({ of, pool }: { readonly of: Figure; readonly pool: PoolView }) {
  const rows = FIGURES[of](pool)
  return <WhyText of={of} rows={rows} />
}

function useLatencyRows({ latency }: PoolView): readonly WhyRow[] {
  const { t, format } = useLanguage()
  if (latency === null) return []
  return [
    { label: t('ui.why.row.median'), value: milliseconds(format, latency.medianMs) },
    { label: t('ui.why.row.p95'), value: milliseconds(format, latency.p95Ms) },
    { label: t('ui.why.row.answers'), value: <Value kind="count" value={latency.count} /> },
  ]
}

function useDifficultyRows({ difficulty }: PoolView): readonly WhyRow[] {
  return useSolvingRows('share', difficulty)
}

function useShareRows({ shares: { accepted, rejected, lost } }: PoolView): readonly WhyRow[] {
  const t = useText()
  const sum = accepted + rejected + lost
  const part = (count: number): ReactNode => (
    <>
      <Value kind="count" value={count} />
      {sum > 0 && (
        <>
          {' '}
          (<Value kind="percent" value={(100 * count) / sum} />)
        </>
      )}
    </>
  )
  return [
    { label: t('ui.events.accepted'), value: part(accepted) },
    { label: t('ui.events.rejected'), value: part(rejected) },
    { label: t('ui.why.row.unanswered'), value: part(lost) },
    { label: t('ui.why.row.sum'), value: <Value kind="count" value={sum} />, isResult: true },
  ]
}
