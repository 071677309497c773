// What the figures of a pool are made of, below them.
import { type ReactNode, useState } from 'react'
import type { PoolView } from '../../../../contract/pools'
import { Because, type WhyButtonProps } from '../../components/layout/Card'
import { milliseconds } from '../../format/milliseconds'
import { useFormat, useText } from '../../i18n/text'
import { Value } from '../../widgets/facts/Value'
import { useSolvingRows } from '../../widgets/why/solving-rows'
import { type WhyRow, WhyText } from '../../widgets/why/WhyText'
import styles from './Pools.module.css'

const FIGURES = { poolLatency: useLatencyRows, poolDifficulty: useDifficultyRows, poolShares: useShareRows } as const

type Figure = keyof typeof FIGURES

interface PoolWhyState {
  /** For the button of a figure. */
  readonly button: (of: Figure) => Omit<WhyButtonProps, 'children'>
  /** What stands below the figures; null while none is open. */
  readonly row: ReactNode
}

export function usePoolWhy(pool: PoolView): PoolWhyState {
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
  const t = useText()
  const format = useFormat()
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
