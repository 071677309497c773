// One account: its balance, incoming amounts, history, and actions.
import { ArrowDownLeft, ArrowUpRight, SearchX } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { WEI_PER_LAX } from '../../../../base/units'
import type { TransactionRowView } from '../../../../contract/explorer'
import { niceTicks } from '../../components/charts/chart-scale'
import { Choice } from '../../components/forms/Choice'
import { Because, Card, WhyButton } from '../../components/layout/Card'
import { AddressText, ForeignText, HashText } from '../../components/values/HexText'
import { Identicon } from '../../components/values/Identicon'
import { QrCode } from '../../components/values/QrCode'
import { shortHex, spelledAddress } from '../../format/bytes-text'
import { useFormat, useLanguage, useText } from '../../i18n/text'
import { useAddressHistory } from '../../state/answers/use-address-history'
import { lockedRewards, pace, type Reward, useRecentBlocks } from '../../state/earnings/rewards'
import { useCanApprove, useEnvironment, useNode, useSigner } from '../../state/environment'
import { type NodeState, selectBalance } from '../../state/stores/program-store'
import { selectLabel, selectNote, selectWatched } from '../../state/stores/signer-store'
import { Button } from '../../widgets/controls/Button'
import { PaymentState } from '../../widgets/facts/PaymentState'
import { EmptyState, ErrorState, Skeleton } from '../../widgets/facts/States'
import { Age, AmountText, Value } from '../../widgets/facts/Value'
import { BalanceWhy, type BalanceWhyProps } from '../../widgets/why/BalanceWhy'
import { BackLink, Screen } from '../Screen'
import styles from './Accounts.module.css'
import { AuditRows, type AuditState, useAudit } from './AuditRows'
import { BackupMark } from './Backup'
import { AccountKeys } from './KeyTools'
import { Label } from './Label'
import { SendForm } from './send/SendForm'

/** What our own form sent in this run, and the outcome of each. */
export function Sends({ address }: { readonly address: string }) {
  const t = useText()
  const sends = useSigner((state) => state.sends.filter(({ from }) => from.toLowerCase() === address.toLowerCase()))
  if (sends.length === 0) return null
  return (
    <Card title={t('ui.send.own')} testId="sends">
      <ul className={styles.rows}>
        {sends.map(({ id, to, value, state, hash, reason, at }) => (
          <li key={id} data-testid="send-row" data-state={state}>
            <span className={styles.tag}>{t(`ui.send.state.${state}`)}</span>
            <AmountText wei={value} form="exact" />
            <span>
              → <AddressText address={to} form="short" />
            </span>
            {hash !== null && <HashText hex={hash} href={`#/node/tx/${hash}`} label={t('ui.send.hash')} />}
            {hash !== null && <PaymentState hash={hash} />}
            {reason !== '' && state === 'failed' && <ForeignText text={reason.slice(0, 300)} />}
            <Age time={at} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

const HISTORY = 100

export function Account({ address }: { readonly address: string }) {
  const t = useText()
  const isLoaded = useSigner((state) => state.accounts !== null)
  const isOwn = useSigner((state) =>
    (state.accounts?.accounts ?? []).some((account) => account.address.toLowerCase() === address),
  )
  const isWatched = useSigner(selectWatched(address)) !== undefined
  const label = useSigner(selectLabel(address))
  return (
    <Screen
      back={<BackLink route="/accounts">{t('ui.nav.accounts')}</BackLink>}
      title={
        <span className={styles.name}>
          <Identicon address={address} />
          <ForeignText text={label === '' ? shortHex(spelledAddress(address)) : label} />
        </span>
      }
      actions={isOwn || isWatched ? <Label address={address} /> : undefined}
    >
      {!isLoaded && <Skeleton lines={5} />}
      {isLoaded && !isOwn && !isWatched && <EmptyState icon={SearchX} title={t('ui.account.notOwn')} />}
      {isLoaded && !isOwn && isWatched && <WatchedAccount address={address} />}
      {isLoaded && isOwn && <OwnAccount address={address} />}
    </Screen>
  )
}

const parts = ['activity', 'security'] as const

function OwnAccount({ address }: { readonly address: string }) {
  const t = useText()
  const canApprove = useCanApprove()
  const backup = useSigner(selectNote(address))?.backup
  const [chosen, setPart] = useState<(typeof parts)[number] | null>(null)
  // An account without a backup begins with what it lacks, and stays there when that is done.
  if (chosen === null && canApprove && (backup === 'none' || backup === 'saved')) setPart('security')
  const part = chosen ?? 'activity'
  return (
    <>
      <div className={styles.top}>
        <Head address={address} />
        <SendForm address={address} />
      </div>
      <Maturity address={address} />
      <div className={styles.parts}>
        <Choice
          label={t('ui.accounts.account')}
          value={part}
          options={parts.map((each) => ({ value: each, label: t(`ui.account.part.${each}`) }))}
          onChange={setPart}
        />
      </div>
      {part === 'activity' && (
        <>
          <Sends address={address} />
          <ChainHistory address={address} />
          {canApprove && <History address={address} />}
        </>
      )}
      {part === 'security' &&
        (canApprove ? <AccountKeys address={address} /> : <p className={styles.asOf}>{t('ui.signer.elsewhere')}</p>)}
    </>
  )
}

/** This program can't sign for it. */
function WatchedAccount({ address }: { readonly address: string }) {
  const t = useText()
  return (
    <>
      <p className={styles.asOf} data-testid="watch-only">
        {t('ui.watch.only')}
      </p>
      <Head address={address} />
      <Maturity address={address} />
      <ChainHistory address={address} />
    </>
  )
}

function Head({ address }: { readonly address: string }) {
  const t = useText()
  const [explained, setExplained] = useState<BalanceWhyProps['of'] | null>(null)
  return (
    <section className={styles.hero} aria-label={t('ui.accounts.account')} data-testid={`account-${address}`}>
      <AddressText address={address} form="grouped" label={t('ui.accounts.address')} testId="receive-address" />
      <dl className={styles.figures}>
        <BalanceFigures address={address} explained={explained} onExplain={setExplained} />
        <NoteFigures address={address} />
      </dl>
      {explained !== null && (
        <div className={styles.because}>
          <Because>
            <BalanceWhy key={explained} of={explained} address={address} />
          </Because>
        </div>
      )}
      <details className={styles.receive}>
        <summary>{t('ui.account.receive')}</summary>
        <QrCode text={address} label={t('ui.account.qr')} sizePx={164} />
      </details>
    </section>
  )
}

interface BalanceFiguresProps {
  readonly address: string
  readonly explained: BalanceWhyProps['of'] | null
  readonly onExplain: (of: BalanceWhyProps['of'] | null) => void
}

/** Amounts and nonce; pressed, each shows what it is made of. */
function BalanceFigures({ address, explained, onExplain }: BalanceFiguresProps) {
  const t = useText()
  const balance = useNode(selectBalance(address))
  const figures = [
    [
      'available',
      <AmountText
        key="available"
        wei={balance?.available}
        form="exact"
        size="figure"
        testId={`balance-available-${address}`}
      />,
    ],
    ['locked', <AmountText key="locked" wei={balance?.locked} form="exact" testId={`balance-locked-${address}`} />],
    ['nonce', <Value key="nonce" kind="count" value={balance?.nonce} />],
  ] as const
  return figures.map(([of, value]) => (
    <div key={of}>
      <dt>
        <WhyButton isOpen={explained === of} onToggle={() => onExplain(explained === of ? null : of)}>
          {t(`ui.accounts.${of}`)}
        </WhyButton>
      </dt>
      <dd>{value}</dd>
    </div>
  ))
}

/** What the program stores about an account of the keystore. */
function NoteFigures({ address }: { readonly address: string }) {
  const t = useText()
  const note = useSigner(selectNote(address))
  if (note === undefined) return null
  return (
    <>
      <div>
        <dt>{t('ui.backup.title')}</dt>
        <dd>
          <BackupMark state={note.backup} />
        </dd>
      </div>
      <div>
        <dt>{t('ui.accounts.lastUsed')}</dt>
        <dd>
          <Age time={note.lastUsedAt} />
        </dd>
      </div>
    </>
  )
}

function History({ address }: { readonly address: string }) {
  const t = useText()
  const audit = useAudit(address, HISTORY)
  return (
    <Card title={t('ui.account.history')} testId="history">
      <RecordRange rows={audit.rows} />
      <AuditRows {...audit} />
    </Card>
  )
}

/** How far back the rows go: the whole audit log, or its last entries about this account. */
function RecordRange({ rows }: { readonly rows: AuditState['rows'] }) {
  const { t, format } = useLanguage()
  const { clock } = useEnvironment()
  const oldest = rows?.at(-1)
  if (rows === null || oldest === undefined) return null
  const values = { count: rows.length, time: format.dayTime(oldest.time, clock.now()) }
  return (
    <p className={styles.asOf} data-testid="record-range">
      {t(rows.length < HISTORY ? 'ui.account.recordWhole' : 'ui.account.recordRange', values)}
    </p>
  )
}

function ChainHistory({ address }: { readonly address: string }) {
  const t = useText()
  const hasHead = useNode((state) => state.head?.head != null)
  const { found, reason, isBusy, ask, goOn } = useAddressHistory(address, hasHead)
  const nonce = useNode(selectBalance(address))?.nonce ?? null
  const seen = useRef(nonce)
  useEffect(() => {
    // A block included a payment of this account.
    if (seen.current !== null && nonce !== seen.current) ask()
    seen.current = nonce
  }, [nonce, ask])
  if (!hasHead) return null
  return (
    <Card title={t('ui.account.chainHistory')} testId="chain-history">
      {reason !== '' && <ErrorState title={t('ui.account.historyFailed')} reason={reason} onRetry={ask} />}
      {found !== null && (
        <>
          <p className={styles.asOf} data-testid="history-range">
            {t('ui.account.historyRange', {
              oldest: found.oldest,
              newest: found.newest,
              count: found.transactions.length,
            })}
          </p>
          <ol className={styles.rows}>
            {found.transactions.map((transaction) => (
              <TransactionRow key={transaction.hash} transaction={transaction} address={address} />
            ))}
          </ol>
          {found.oldest > 0 && (
            <Button size="small" needsContact isBusy={isBusy} data-testid="history-more" onClick={goOn}>
              {t('ui.node.addressFurther')}
            </Button>
          )}
        </>
      )}
    </Card>
  )
}

function TransactionRow({
  transaction,
  address,
}: {
  readonly transaction: TransactionRowView
  readonly address: string
}) {
  const t = useText()
  const { hash, from, to, value, blockNumber, succeeded } = transaction
  const isOut = from.toLowerCase() === address
  const other = isOut ? to : from
  return (
    <li data-testid="history-row" data-state={isOut ? 'out' : 'in'}>
      <span className={styles.tag}>
        {isOut ? <ArrowUpRight aria-hidden="true" size={12} /> : <ArrowDownLeft aria-hidden="true" size={12} />}
        {t(isOut ? 'ui.account.out' : 'ui.account.in')}
      </span>
      <AmountText wei={value} form="exact" />
      <span>
        {isOut ? '→ ' : '← '}
        {other === null ? t('ui.account.creation') : <AddressText address={other} form="short" />}
      </span>
      <HashText hex={hash} href={`#/node/tx/${hash}`} label={t('ui.send.hash')} />
      {blockNumber !== null && <span>{t('ui.accounts.atHeight', { height: blockNumber })}</span>}
      {succeeded === false && <span className={styles.bad}>{t('ui.account.reverted')}</span>}
    </li>
  )
}

const MS_PER_SECOND = 1_000
const SOON_MS = 10 * 60_000
/** Rewards that are listed; the rest is counted. */
const MAX_ROWS = 8
/** The line above the stairs, the stairs, and the line below. */
const SKELETON_PX = 233
/** A line above this part of the stairs would touch the sum. */
const GRID_TOP = 0.85
/** Without stairs. */
const SINGLE_PX = 52

/** How many rewards are still locked, judged by their sum: known before the blocks that paid them are read. */
const selectLockedCount =
  (address: string) =>
  (state: NodeState): number => {
    const balance = selectBalance(address)(state)
    const one = BigInt(balance?.nextUnlock?.amount ?? 0)
    return one === 0n ? 0 : Number(BigInt(balance?.locked ?? 0) / one)
  }

/** Maturing rewards: each block found by this account, from its height to the one at which its reward matures. */
function Maturity({ address }: { readonly address: string }) {
  const t = useText()
  const head = useNode((state) => state.head?.head?.number ?? null)
  const format = useFormat()
  const maturity = useNode((state) => state.head?.maturityBlocks ?? 0)
  const spacing = useNode((state) => state.head?.targetSpacingSeconds ?? 0)
  const { blocks, isKnown, error } = useRecentBlocks()
  const count = useNode(selectLockedCount(address))
  if (head === null) return null
  const rewards = lockedRewards(blocks, { address, head, maturity })
  const measured = pace(blocks)
  return (
    <Card
      title={t('ui.maturity.title')}
      testId="maturity"
      aside={rewards[0] && <NextReward reward={rewards[0]} head={head} pace={measured?.seconds ?? null} />}
    >
      {error !== '' && <ErrorState title={t('ui.node.blocksFailed')} reason={error} />}
      {!isKnown && error === '' && <Skeleton lines={1} heightPx={count > 1 ? SKELETON_PX : SINGLE_PX} />}
      {isKnown && rewards.length === 0 && <p className={styles.asOf}>{t('ui.maturity.none')}</p>}
      {rewards.length > 0 && (
        <p className={styles.asOf} data-testid="maturity-basis">
          {measured === null
            ? t('ui.maturity.basisTarget', { target: format.text('duration', spacing) })
            : t('ui.maturity.basis', {
                target: format.text('duration', spacing),
                measured: format.text('duration', Math.round(measured.seconds)),
                count: measured.blocks,
              })}
        </p>
      )}
      {rewards.length > 1 && <Stairs rewards={rewards} />}
      {rewards.length > 0 && (
        <details>
          <summary>
            {t('ui.maturity.stairs', {
              count: rewards.length,
              amount: format.lax(rewards.reduce((sum, { amount }) => sum + BigInt(amount), 0n)),
            })}
          </summary>
          <ol className={styles.rows}>
            {rewards.slice(0, MAX_ROWS).map((reward) => (
              <RewardRow key={reward.height} reward={reward} head={head} pace={measured?.seconds ?? null} />
            ))}
          </ol>
          {rewards.length > MAX_ROWS && (
            <p className={styles.asOf}>{t('ui.maturity.more', { count: rewards.length - MAX_ROWS })}</p>
          )}
        </details>
      )}
    </Card>
  )
}

/** What has matured by each height, added up: a step for each reward. */
function Stairs({ rewards }: { readonly rewards: readonly Reward[] }) {
  const { t, format } = useLanguage()
  const { points, total } = stairsOf(rewards)
  const grid = gridOf(total)
  const path = points.map(({ x, y }) => `H${x} V${y}`).join(' ')
  const label = t('ui.maturity.stairs', { count: rewards.length, amount: format.lax(total) })
  return (
    <div className={styles.stairs} role="img" aria-label={label} data-testid="maturity-stairs">
      <svg viewBox="0 0 1000 100" preserveAspectRatio="none" aria-hidden="true">
        {grid.map(({ y }) => (
          <path key={y} d={`M0 ${y} H1000`} className={styles.stairsGrid} vectorEffect="non-scaling-stroke" />
        ))}
        <path d={`M0 100 ${path} H1000 V100 Z`} className={styles.stairsFill} />
        <path d={`M0 100 ${path} H1000`} className={styles.stairsLine} vectorEffect="non-scaling-stroke" />
      </svg>
      {points.map(({ x, y }) => (
        <i key={x} style={{ insetInlineStart: `${x / 10}%`, insetBlockStart: `${y}%` }} />
      ))}
      {grid.map(({ lax, y }) => (
        <span key={y} className={styles.stairsTick} style={{ insetBlockStart: `${y}%` }}>
          {format.text('count', lax)}
        </span>
      ))}
      <b>{format.lax(total)}</b>
      <small>{t('ui.accounts.atHeight', { height: rewards[0]?.unlockHeight ?? 0 })}</small>
      <small>{t('ui.accounts.atHeight', { height: rewards.at(-1)?.unlockHeight ?? 0 })}</small>
    </div>
  )
}

/** Round sums between nothing and the whole, in whole LAX; `y` counts down as in `stairsOf`. */
function gridOf(total: bigint): readonly { readonly lax: number; readonly y: number }[] {
  const all = Number(total / WEI_PER_LAX)
  return niceTicks(0, all, 3)
    .filter((lax) => lax > 0 && lax <= GRID_TOP * all && Number.isInteger(lax))
    .map((lax) => ({ lax, y: 100 - Number((BigInt(lax) * WEI_PER_LAX * 10_000n) / total) / 100 }))
}

/** In a box of 1000 x 100, from now at the left to a little after the last; `y` counts down from the sum of all. */
function stairsOf(rewards: readonly Reward[]): {
  readonly points: readonly { readonly x: number; readonly y: number }[]
  readonly total: bigint
} {
  const total = rewards.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
  const last = rewards.at(-1)
  const first = rewards[0]
  if (last === undefined || first === undefined || total === 0n) return { points: [], total }
  // Of the way from its block to its maturity, a reward has gone `progress`; what is left is its distance from now.
  const left = ({ progress }: Reward): number => Math.max(0, 1 - progress)
  const width = left(last) * 1.06
  let sum = 0n
  const points = rewards.map((reward) => {
    sum += BigInt(reward.amount)
    const x = width === 0 ? 0 : Math.round((1000 * left(reward)) / width)
    return { x, y: 100 - Number((sum * 10_000n) / total) / 100 }
  })
  return { points, total }
}

interface RewardRowProps {
  readonly reward: Reward
  readonly head: number
  /** Seconds per block, as measured; null = unknown. */
  readonly pace: number | null
}

/** The one that matures first. */
function NextReward({ reward, head, pace: measured }: RewardRowProps) {
  const t = useText()
  const spacing = useNode((state) => state.head?.targetSpacingSeconds ?? 0)
  const when = useUnlockTime(reward.unlockHeight - head, [spacing, measured ?? spacing])
  return (
    <span className={styles.asOf}>
      <AmountText wei={reward.amount} form="list" /> {t('ui.maturity.next', { height: reward.unlockHeight, when })}
    </span>
  )
}

function RewardRow({ reward, head, pace: measured }: RewardRowProps) {
  const t = useText()
  const spacing = useNode((state) => state.head?.targetSpacingSeconds ?? 0)
  const when = useUnlockTime(reward.unlockHeight - head, [spacing, measured ?? spacing])
  return (
    <li data-testid={`reward-${reward.height}`}>
      <AmountText wei={reward.amount} form="list" />
      <span className={styles.asOf}>{t('ui.maturity.found', { height: reward.height })}</span>
      <span>
        {t('ui.accounts.atHeight', { height: reward.unlockHeight })} <span className={styles.asOf}>{when}</span>
      </span>
    </li>
  )
}

/** The times that the two paces (seconds per block) predict; a single one if they hardly differ. */
function useUnlockTime(left: number, paces: readonly [number, number]): string {
  const { t, format } = useLanguage()
  const { clock } = useEnvironment()
  const now = clock.now()
  const [sooner = 0, later = 0] = paces.map((seconds) => left * seconds * MS_PER_SECOND).sort((a, b) => a - b)
  // Seconds are omitted for times further away than this.
  const at = (ms: number): string => {
    const text = format.dayTime(now + ms, now)
    return ms < SOON_MS ? text : text.replace(/:\d\d$/, '')
  }
  if (at(sooner) === at(later)) return t('ui.maturity.at', { time: at(later) })
  return t('ui.common.range', { from: at(sooner), to: at(later) })
}
