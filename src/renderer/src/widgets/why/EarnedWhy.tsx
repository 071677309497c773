// What was earned so far: the value of the work for each pool, or for our own node, and the blocks or shares behind it.
import type { EarningsView } from '../../../../contract/fleet'
import { useFormat, useText } from '../../i18n/text'
import { earnedOf } from '../../state/earnings/earned'
import { AmountText } from '../facts/AmountText'
import { Value } from '../facts/Value'
import { type WhyRow, WhyText } from './WhyText'

export interface EarnedWhyProps {
  readonly of: 'earned' | 'earnedRange'
  readonly earnings: EarningsView
  readonly isSolo: boolean
}

export function EarnedWhy({ of, earnings, isSolo }: EarnedWhyProps) {
  const t = useText()
  const format = useFormat()
  const rows = earnings.rows.filter(({ pool }) => (pool === '') === isSolo)
  const earned = earnedOf({ earnings, isSolo })
  const sum = (of: (row: (typeof rows)[number]) => number): number => rows.reduce((total, row) => total + of(row), 0)
  const amount = (wei: bigint | string | null) => <AmountText wei={wei === null ? null : String(wei)} form="list" />
  const parts: readonly WhyRow[] = rows.map(({ pool, expected }) => ({
    label: pool === '' ? t('ui.overview.ownNode') : pool,
    isForeign: pool !== '',
    value: amount(expected),
  }))
  const found: WhyRow = {
    label: t(isSolo ? 'ui.node.blocks' : 'ui.events.accepted'),
    value: <Value kind="count" value={sum(({ shares }) => shares)} />,
  }
  const average: WhyRow = {
    label: t('ui.why.row.foundOnAverage'),
    value: <Value kind="average" value={sum(({ expectedShares }) => expectedShares)} />,
  }
  const computed = rows.reduce((total, row) => total + BigInt(row.computed), 0n)
  const shown: readonly WhyRow[] =
    of === 'earned'
      ? [found, ...parts, { label: t('ui.why.row.sum'), value: amount(earned?.wei ?? null), isResult: true }]
      : [found, average, { label: t('ui.why.row.valueOnAverage'), value: amount(computed), isResult: true }]
  return <WhyText of={of} values={{ from: format.moment(earnings.from) }} rows={shown} />
}
