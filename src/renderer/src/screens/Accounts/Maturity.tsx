// Rewards on their way: each block found by this account, from its height to the one at which it can be spent.
import { useCallback, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { BlockRowView } from '../../../../contract/node'
import { AmountText } from '../../components/AmountText'
import { Card } from '../../components/Card'
import { ErrorState } from '../../components/States'
import { useFormat, useText } from '../../i18n/text'
import { useAsking, useEnvironment, useNode } from '../../state/environment'
import styles from './Accounts.module.css'

/** Blocks of one answer. */
const MOST_BLOCKS = 200
/** Rewards that are listed; the rest is counted. */
const MOST_ROWS = 30

export interface Reward {
  readonly height: number
  readonly unlockHeight: number
  /** wei */
  readonly amount: string
  /** 0 just found .. 1 unlocked */
  readonly progress: number
}

/** Rewards of `address` that are still locked at `head`, the next to unlock first. */
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

export function Maturity({ address }: { readonly address: string }) {
  const t = useText()
  const head = useNode((state) => state.head?.head?.number ?? null)
  const maturity = useNode((state) => state.head?.maturityBlocks ?? 0)
  const { blocks, error } = useRecent(head, maturity)
  if (head === null) return null
  const rewards = lockedRewards(blocks, { address, head, maturity })
  return (
    <Card title={t('ui.maturity.title')} testId="maturity">
      {error !== '' && <ErrorState title={t('ui.maturity.failed')} reason={error} />}
      {rewards.length === 0 && <p className={styles.asOf}>{t('ui.maturity.none')}</p>}
      <ol className={styles.maturity}>
        {rewards.slice(0, MOST_ROWS).map((reward) => (
          <RewardRow key={reward.height} reward={reward} head={head} />
        ))}
      </ol>
      {rewards.length > MOST_ROWS && (
        <p className={styles.asOf}>{t('ui.maturity.more', { count: rewards.length - MOST_ROWS })}</p>
      )}
    </Card>
  )
}

function RewardRow({ reward, head }: { readonly reward: Reward; readonly head: number }) {
  const t = useText()
  const format = useFormat()
  const spacing = useNode((state) => state.head?.targetSpacingSeconds ?? 0)
  const left = reward.unlockHeight - head
  const label = t('ui.maturity.row', { height: reward.height, unlock: reward.unlockHeight, left })
  return (
    <li data-testid={`reward-${reward.height}`}>
      <AmountText wei={reward.amount} form="list" />
      <progress max={1} value={reward.progress} aria-label={label} />
      <span>
        {t('ui.accounts.atHeight', { height: reward.unlockHeight })}{' '}
        <span className={styles.asOf}>{t('ui.maturity.about', { time: format.text('duration', left * spacing) })}</span>
      </span>
    </li>
  )
}

/** The blocks that can still hold locked rewards, asked for again at each new head. */
function useRecent(head: number | null, maturity: number) {
  const { backend } = useEnvironment()
  const [state, setState] = useState<{ readonly blocks: readonly BlockRowView[]; readonly error: string }>({
    blocks: [],
    error: '',
  })
  const ask = useCallback(() => {
    if (head === null || maturity === 0) return undefined
    let isOver = false
    backend.call('node.blocks', { from: null, count: Math.min(maturity, MOST_BLOCKS) }).then(
      ({ blocks }) => !isOver && setState({ blocks, error: '' }),
      (error: unknown) => !isOver && setState((old) => ({ ...old, error: messageOf(error) })),
    )
    return () => {
      isOver = true
    }
  }, [backend, head, maturity])
  useAsking(ask)
  return state
}
