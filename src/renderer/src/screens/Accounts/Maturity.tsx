// Maturing rewards: each block found by this account, from its height to the one at which its reward matures.
import { useCallback } from 'react'
import type { BlockRowView } from '../../../../contract/node'
import { Card } from '../../components/layout/Card'
import { useFormat, useText } from '../../i18n/text'
import { useAnswer } from '../../state/answers/use-answer'
import { useEnvironment, useNode } from '../../state/environment'
import { AmountText } from '../../widgets/facts/AmountText'
import { ErrorState } from '../../widgets/facts/States'
import styles from './Accounts.module.css'

/** Blocks per answer. */
const MAX_BLOCKS = 200
/** The number of blocks that the chain's pace is averaged over. */
const PACE_BLOCKS = 144
const MS_PER_SECOND = 1_000
const SOON_MS = 10 * 60_000
/** Rewards that are listed; the rest is counted. */
const MAX_ROWS = 30

export interface Reward {
  readonly height: number
  readonly unlockHeight: number
  /** wei */
  readonly amount: string
  /** 0 just found .. 1 mature */
  readonly progress: number
}

/** Rewards of `address` that aren't mature at `head`, the next to mature first. */
export function lockedRewards(
  blocks: readonly BlockRowView[],
  { address, head, maturity }: { readonly address: string; readonly head: number; readonly maturity: number },
): readonly Reward[] {
  return blocks
    .filter((block) => block.miner.toLowerCase() === address.toLowerCase() && block.number + maturity > head)
    .map(({ number, subsidy }) => ({
      height: number,
      unlockHeight: number + maturity,
      amount: subsidy,
      progress: (head - number) / maturity,
    }))
    .sort((a, b) => a.unlockHeight - b.unlockHeight)
}

/**
 * Seconds per block over the last 144, or as many as there are; null if there are too few. Newest first. Ignores the
 * genesis block, whose time was set long before.
 */
export function pace(all: readonly BlockRowView[]): { readonly seconds: number; readonly blocks: number } | null {
  const blocks = all.filter(({ number }) => number > 0)
  const first = blocks[0]
  const last = blocks[Math.min(PACE_BLOCKS, blocks.length - 1)]
  if (first === undefined || last === undefined || first.number - last.number < 2) return null
  const count = first.number - last.number
  const seconds = (first.time - last.time) / MS_PER_SECOND / count
  return seconds > 0 ? { seconds, blocks: count } : null
}

export function Maturity({ address }: { readonly address: string }) {
  const t = useText()
  const head = useNode((state) => state.head?.head?.number ?? null)
  const format = useFormat()
  const maturity = useNode((state) => state.head?.maturityBlocks ?? 0)
  const spacing = useNode((state) => state.head?.targetSpacingSeconds ?? 0)
  const { blocks, error } = useRecent(head, maturity)
  if (head === null) return null
  const rewards = lockedRewards(blocks, { address, head, maturity })
  const measured = pace(blocks)
  return (
    <Card title={t('ui.maturity.title')} testId="maturity">
      {error !== '' && <ErrorState title={t('ui.node.blocksFailed')} reason={error} />}
      {rewards.length === 0 && <p className={styles.asOf}>{t('ui.maturity.none')}</p>}
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

const NO_BLOCKS: readonly BlockRowView[] = []

/** The blocks that may still hold immature rewards, read again at each new head. */
function useRecent(head: number | null, maturity: number) {
  const { backend } = useEnvironment()
  const isWanted = head !== null && maturity > 0
  const ask = useCallback(
    () => backend.call('node.blocks', { from: null, count: Math.min(Math.max(maturity, PACE_BLOCKS + 1), MAX_BLOCKS) }),
    [backend, maturity],
  )
  const { value, reason } = useAnswer(isWanted ? ask : null, head ?? '')
  return { blocks: value?.blocks ?? NO_BLOCKS, error: reason }
}
