// Maturing rewards: each block found by this account, from its height to the one at which its reward matures.
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
const MAX_ROWS = 30
/** Heights of the line above the rewards, and of one with the gap before it. */
const BASIS_PX = 20
const ROW_PX = 42

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
    <Card title={t('ui.maturity.title')} testId="maturity">
      {error !== '' && <ErrorState title={t('ui.node.blocksFailed')} reason={error} />}
      {!isKnown && error === '' && <Skeleton lines={1} heightPx={BASIS_PX + ROW_PX * Math.min(count, MAX_ROWS)} />}
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
      <ol className={styles.maturity}>
        {rewards.slice(0, MAX_ROWS).map((reward) => (
          <RewardRow key={reward.height} reward={reward} head={head} pace={measured?.seconds ?? null} />
        ))}
      </ol>
      {rewards.length > MAX_ROWS && (
        <p className={styles.asOf}>{t('ui.maturity.more', { count: rewards.length - MAX_ROWS })}</p>
      )}
    </Card>
  )
}

interface RewardRowProps {
  readonly reward: Reward
  readonly head: number
  /** Seconds per block, as measured; null = unknown. */
  readonly pace: number | null
}

function RewardRow({ reward, head, pace: measured }: RewardRowProps) {
  const t = useText()
  const spacing = useNode((state) => state.head?.targetSpacingSeconds ?? 0)
  const left = reward.unlockHeight - head
  const label = t('ui.maturity.row', { height: reward.height, unlock: reward.unlockHeight, left })
  const when = useUnlockTime(left, [spacing, measured ?? spacing])
  return (
    <li data-testid={`reward-${reward.height}`}>
      <AmountText wei={reward.amount} form="list" />
      <span className={styles.span}>
        <span>{t('ui.maturity.found', { height: reward.height })}</span>
        <progress max={1} value={reward.progress} aria-label={label} />
      </span>
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
