// What expectations are made of: hashrate, difficulty and reward, step by step, so that they can be computed again.
import { useFormat, useText } from '../../i18n/text'
import { blocksPerDay, type EarningInput, expectedPerDay, expectedSeconds } from '../../state/earnings/earnings'
import { AmountText } from '../facts/AmountText'
import { Value } from '../facts/Value'
import { type WhyRow, WhyText } from './WhyText'

interface ChanceWhyProps {
  readonly of: 'meanWait' | 'shareEvery' | 'waits' | 'chanceDay' | 'soloDay' | 'expectedDay'
  readonly given: EarningInput
}

const WAIT_PERCENTS = [10, 50, 90] as const

/** @param given for `shareEvery`, `networkDifficulty` is that of a share */
export function ChanceWhy({ of, given }: ChanceWhyProps) {
  const t = useText()
  const format = useFormat()
  const { hashrate, networkDifficulty: difficulty, subsidy } = given
  const seconds = expectedSeconds(difficulty, hashrate)
  const mean = seconds === null ? null : Math.max(1, seconds)
  const duration = (seconds: number | null) => <Value kind="duration" value={seconds} />
  const isShare = of === 'shareEvery'
  const rate: WhyRow = { label: t('ui.overview.hashrate'), value: <Value kind="hashrate" value={hashrate} /> }
  const hardness: WhyRow = {
    label: t(isShare ? 'ui.overview.jobDifficulty' : 'ui.pools.calc.difficulty'),
    value: <Value kind="difficulty" value={difficulty} />,
  }
  const average: WhyRow = {
    label: t(isShare ? 'ui.overview.shareEvery' : 'ui.overview.blockEvery'),
    value: duration(mean),
  }
  // How many the hashes are good for, and how many there are to find.
  const good = blocksPerDay({ ...given, spacingSeconds: null })
  const found = blocksPerDay(given)
  const blocks: WhyRow = { label: t('ui.why.row.blocksDay'), value: <Value kind="average" value={good} /> }
  const limited: readonly WhyRow[] =
    found === good
      ? [blocks]
      : [blocks, { label: t('ui.why.row.networkDay'), value: <Value kind="average" value={found} /> }]
  const paid: WhyRow = { label: t('ui.pools.blockReward'), value: <AmountText wei={subsidy} form="list" /> }
  const wei = expectedPerDay(given)
  const sum: WhyRow = {
    label: t('ui.overview.expected'),
    value: <AmountText wei={wei === null ? null : String(wei)} form="list" />,
    isResult: true,
  }
  const waits = WAIT_PERCENTS.map((percent) => ({
    label: t('ui.why.row.within', { percent: format.text('wholePercent', percent) }),
    value: duration(mean === null ? null : Math.max(1, -Math.log(1 - percent / 100) * mean)),
  }))
  const rows: Readonly<Record<ChanceWhyProps['of'], readonly WhyRow[]>> = {
    meanWait: [hardness, rate, { ...average, isResult: true }],
    shareEvery: [hardness, rate, { ...average, isResult: true }],
    waits: [average, ...waits],
    chanceDay: [average, blocks],
    soloDay: [rate, hardness, ...limited, paid, sum],
    expectedDay: [rate, hardness, ...limited, paid, sum],
  }
  return <WhyText of={of} rows={rows[of]} />
}
