// What the figures of the chain and of our node's connections are made of.
import { useLanguage, useText } from '../../i18n/text'
import { pace } from '../../state/earnings/rewards'
import { useNode } from '../../state/environment'
import { selectHighest, selectNextDifficulty } from '../../state/stores/program-store'
import { Age, Value } from '../facts/Value'
import { type Explained, type WhyRow, WhyText } from './WhyText'

const FIGURES = {
  nodeHeight: useHeightRows,
  highest: useHeightRows,
  headAge: useAgeRows,
  spacing: useAgeRows,
  difficulty: useDifficultyRows,
  nextDifficulty: useDifficultyRows,
  totalDifficulty: useNoRows,
  maturity: useNoRows,
  mempool: useMempoolRows,
  peers: usePeerRows,
} as const satisfies Partial<Record<Explained, () => readonly WhyRow[]>>

export function NodeWhy({ of }: { readonly of: keyof typeof FIGURES }) {
  const rows = FIGURES[of]()
  return <WhyText of={of} rows={rows} />
}

function useNoRows(): readonly WhyRow[] {
  return []
}

function useHeightRows(): readonly WhyRow[] {
  const t = useText()
  const head = useNode(({ head }) => head?.head ?? null)
  const highest = useNode(selectHighest)
  const peer = useNode(({ peers }) => highestOf(peers?.peers.map(({ head }) => head.number) ?? []))
  return [
    { label: t('ui.why.row.ownHead'), value: <Value kind="count" value={head?.number} /> },
    ...(peer === null ? [] : [{ label: t('ui.why.row.peerHead'), value: <Value kind="count" value={peer} /> }]),
    {
      label: t('ui.why.row.blocksLeft'),
      value: (
        <Value kind="count" value={head === null || highest === null ? null : Math.max(0, highest - head.number)} />
      ),
      isResult: true,
    },
  ]
}

function highestOf(heights: readonly (number | null)[]): number | null {
  const known = heights.filter((height) => height !== null)
  return known.length === 0 ? null : Math.max(...known)
}

/** The chain's pace, as the rule wants it and as the latest blocks have it. */
function useAgeRows(): readonly WhyRow[] {
  const t = useText()
  const target = useNode(({ head }) => head?.targetSpacingSeconds ?? null)
  const time = useNode(({ head }) => head?.head?.time ?? null)
  const blocks = useNode((state) => state.blocks)
  const measured = pace(blocks ?? [])
  return [
    { label: t('ui.node.headAge'), value: <Age time={time} /> },
    { label: t('ui.why.row.targetPace'), value: <Value kind="duration" value={target} /> },
    ...(measured === null
      ? []
      : [
          {
            label: t('ui.why.row.pace', { count: measured.blocks }),
            value: <Value kind="duration" value={measured.seconds} />,
          },
        ]),
  ]
}

function useDifficultyRows(): readonly WhyRow[] {
  const { t, format } = useLanguage()
  const latest = useNode(({ head }) => (head?.head == null ? null : Number(head.head.difficulty)))
  const next = useNode(selectNextDifficulty)
  const change = latest === null || next === null || latest <= 0 ? null : (100 * (next - latest)) / latest
  return [
    { label: t('ui.why.row.latestDifficulty'), value: <Value kind="difficulty" value={latest} /> },
    ...(change === null
      ? []
      : [
          {
            label: t('ui.why.row.change'),
            value: <bdi>{signed(change, format.text('percent', Math.abs(change)))}</bdi>,
          },
        ]),
    { label: t('ui.node.nextDifficulty'), value: <Value kind="difficulty" value={next} />, isResult: true },
  ]
}

function signed(change: number, size: string): string {
  return change === 0 ? size : `${change > 0 ? '+' : '−'}${size}`
}

function useMempoolRows(): readonly WhyRow[] {
  const t = useText()
  const pending = useNode(({ head }) => head?.pending ?? null)
  const queued = useNode(({ head }) => head?.queued ?? null)
  return [
    { label: t('ui.why.row.pending'), value: <Value kind="count" value={pending} /> },
    { label: t('ui.why.row.queued'), value: <Value kind="count" value={queued} /> },
    {
      label: t('ui.why.row.sum'),
      value: <Value kind="count" value={pending === null || queued === null ? null : pending + queued} />,
      isResult: true,
    },
  ]
}

function usePeerRows(): readonly WhyRow[] {
  const t = useText()
  const peers = useNode((state) => state.peers?.peers ?? null)
  const groups = useNode((state) => state.sync?.health?.groups ?? null)
  if (peers === null) return []
  const outbound = peers.filter(({ direction }) => direction === 'outbound').length
  return [
    { label: t('ui.why.row.outbound'), value: <Value kind="count" value={outbound} /> },
    { label: t('ui.why.row.inbound'), value: <Value kind="count" value={peers.length - outbound} /> },
    { label: t('ui.why.row.sum'), value: <Value kind="count" value={peers.length} />, isResult: true },
    ...(groups === null ? [] : [{ label: t('ui.why.row.networks'), value: <Value kind="count" value={groups} /> }]),
  ]
}
