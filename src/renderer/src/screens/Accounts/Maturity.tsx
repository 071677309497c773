// Maturing rewards: each block found by this account, from its height to the one at which its reward matures.
import { WEI_PER_LAX } from '../../../../base/units'
import { niceTicks } from '../../components/charts/chart-scale'
import { Card } from '../../components/layout/Card'
import { useFormat, useText } from '../../i18n/text'
import { lockedRewards, pace, type Reward, useRecentBlocks } from '../../state/earnings/rewards'
import { useEnvironment, useNode } from '../../state/environment'
import { type NodeState, selectBalance } from '../../state/stores/node-store'
import { AmountText } from '../../widgets/facts/AmountText'
import { ErrorState, Skeleton } from '../../widgets/facts/States'
import styles from './Accounts.module.css'

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

export function Maturity({ address }: { readonly address: string }) {
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
  const t = useText()
  const format = useFormat()
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

/**
 * From the sooner to the later time that the paces (seconds per block) predict; a single time if they hardly differ.
 */
function useUnlockTime(left: number, paces: readonly [number, number]): string {
  const t = useText()
  const format = useFormat()
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
