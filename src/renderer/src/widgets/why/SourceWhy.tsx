// What the figures of the work are made of: the job, the pool it comes from, and how soon it follows our node's chain.

import { milliseconds, UNKNOWN } from '../../format/formatter'
import { useLanguage, useText } from '../../i18n/text'
import { useMiner, useNode, useOperation } from '../../state/environment'
import { selectPools } from '../../state/stores/program-store'
import { Age, Value } from '../facts/Value'
import { useSolvingRows } from './solving-rows'
import { type Explained, type WhyRow, WhyText } from './WhyText'

const FIGURES = {
  jobDifficulty: useJobRows,
  jobHeight: usePlaceRows,
  epoch: useEpochRows,
  sourceSince: useSinceRows,
  switches: useSinceRows,
  tipJob: usePlaceRows,
  tipHead: usePlaceRows,
  sourcePoolHead: usePlaceRows,
  delays: useDelayRows,
  delayCount: useDelayRows,
} as const satisfies Partial<Record<Explained, () => readonly WhyRow[]>>

export function SourceWhy({ of }: { readonly of: keyof typeof FIGURES }) {
  const rows = FIGURES[of]()
  return <WhyText of={of} rows={rows} />
}

function useJobRows(): readonly WhyRow[] {
  const difficulty = useMiner((state) => state.status?.source.difficulty ?? null)
  const isPool = useMiner((state) => state.status?.source.kind === 'pool')
  return useSolvingRows(isPool ? 'share' : 'block', difficulty)
}

/** The job beside the head of our node's chain. */
function usePlaceRows(): readonly WhyRow[] {
  const t = useText()
  const poolHead = useOperation((state) => state.poolHead)
  const height = useMiner((state) => state.status?.source.height ?? null)
  const head = poolHead?.head ?? null
  // Without a pool to compare with, only the node knows its head.
  const latest = useNode((state) => state.head?.head?.number ?? null)
  return [
    { label: t('ui.overview.jobHeight'), value: <Value kind="count" value={poolHead?.job?.height ?? height} /> },
    ...(poolHead?.job == null ? [] : [{ label: t('ui.why.row.jobCame'), value: <Age time={poolHead.job.at} /> }]),
    { label: t('ui.pools.tipHead'), value: <Value kind="count" value={head?.height ?? latest} /> },
    ...(head?.at == null ? [] : [{ label: t('ui.why.row.headCame'), value: <Age time={head.at} /> }]),
  ]
}

function useEpochRows(): readonly WhyRow[] {
  const t = useText()
  const height = useMiner((state) => state.status?.source.height ?? null)
  const epoch = useMiner((state) => state.status?.source.epoch ?? null)
  const bytes = useMiner((state) => largest((state.devices?.devices ?? []).map(({ datasetBytes }) => datasetBytes)))
  return [
    { label: t('ui.overview.jobHeight'), value: <Value kind="count" value={height} /> },
    { label: t('ui.overview.epoch'), value: <Value kind="count" value={epoch} /> },
    ...(bytes === null ? [] : [{ label: t('ui.why.row.dag'), value: <Value kind="bytes" value={bytes} /> }]),
  ]
}

function largest(sizes: readonly (number | null)[]): number | null {
  const known = sizes.filter((bytes) => bytes !== null && bytes > 0)
  return known.length === 0 ? null : Math.max(...known.map(Number))
}

/** When and why the miner came to this pool. */
function useSinceRows(): readonly WhyRow[] {
  const { t, format } = useLanguage()
  const active = useOperation((state) => selectPools(state).find((pool) => pool.active))
  const switches = useMiner((state) => state.status?.source.switches ?? null)
  const since = active?.connectedAt ?? null
  const last = active?.lastSwitch ?? null
  return [
    { label: t('ui.why.row.connected'), value: since === null ? UNKNOWN : format.moment(since) },
    ...(last === null
      ? []
      : [
          { label: t('ui.pools.lastSwitch'), value: format.moment(last.at) },
          { label: t('ui.why.row.switchedFrom'), value: <bdi>{last.from}</bdi> },
        ]),
    { label: t('ui.pools.switches'), value: <Value kind="count" value={switches} /> },
  ]
}

function useDelayRows(): readonly WhyRow[] {
  const { t, format } = useLanguage()
  const delays = useOperation((state) => state.poolHead?.delays ?? null)
  const text = (ms: number | undefined): string => {
    if (ms === undefined) return UNKNOWN
    const time = milliseconds(format, ms)
    return ms < 0 ? t('ui.pools.delayBefore', { time }) : time
  }
  return [
    { label: t('ui.why.row.lastDelay'), value: text(delays?.lastMs) },
    { label: t('ui.why.row.median'), value: text(delays?.p50Ms) },
    { label: t('ui.why.row.p95'), value: text(delays?.p95Ms) },
    { label: t('ui.pools.delayCount'), value: <Value kind="count" value={delays?.count ?? 0} /> },
  ]
}
