// How often work of a difficulty is solved: the difficulty, the hashrate, and the time that follows.
import { useText } from '../../i18n/text'
import { expectedSeconds } from '../../state/earnings/earnings'
import { useMiner } from '../../state/environment'
import { Value } from '../facts/Value'
import type { WhyRow } from './WhyText'

/** @param of whether a solution is a pool's share or a block */
export function useSolvingRows(of: 'share' | 'block', difficulty: number | null): readonly WhyRow[] {
  const t = useText()
  const hashrate = useMiner((state) => state.status?.hashrate.m15 ?? null)
  const seconds = expectedSeconds(difficulty, hashrate)
  return [
    { label: t('ui.overview.jobDifficulty'), value: <Value kind="difficulty" value={difficulty} /> },
    { label: t('ui.why.row.hashrate15'), value: <Value kind="hashrate" value={hashrate} /> },
    {
      label: t(of === 'share' ? 'ui.overview.shareEvery' : 'ui.overview.blockEvery'),
      value: <Value kind="duration" value={seconds === null ? null : Math.max(1, seconds)} />,
      isResult: true,
    },
  ]
}
