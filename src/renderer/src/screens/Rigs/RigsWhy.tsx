// What each rig adds to a total of all; those that are offline add nothing, and say so.
import type { ReactNode } from 'react'
import type { RigView } from '../../../../contract/rigs'
import { useText } from '../../i18n/text'
import { useOperation } from '../../state/environment'
import { efficiencyOfRig } from '../../state/stores/operation-store'
import { Shares } from '../../widgets/facts/Shares'
import { Value } from '../../widgets/facts/Value'
import { type WhyRow, WhyText } from '../../widgets/why/WhyText'

export type RigFigure = 'rigsRate' | 'rigsEffective' | 'rigsPower' | 'rigsEfficiency' | 'rigsGpus' | 'rigsShares'

type Figures = NonNullable<RigView['figures']>

const PARTS: Readonly<Record<RigFigure, (rig: RigView, figures: Figures) => ReactNode>> = {
  rigsRate: (_rig, { hashrate }) => <Value kind="hashrate" value={hashrate.s60} />,
  rigsEffective: (_rig, { hashrate }) => <Value kind="hashrate" value={known(hashrate.effective)} />,
  rigsPower: (_rig, { powerWatts }) => <Value kind="watts" value={known(powerWatts)} />,
  rigsEfficiency: (rig) => <Value kind="efficiency" value={efficiencyOfRig(rig)} />,
  rigsGpus: (_rig, { gpus }) => <Value kind="count" value={gpus.length} />,
  rigsShares: (_rig, { shares }) => <Shares {...shares} />,
}

/** A rig's API reports 0 for unknown. */
function known(value: number): number | null {
  return value > 0 ? value : null
}

export function RigsWhy({ of }: { readonly of: RigFigure }) {
  const t = useText()
  const rigs = useOperation((state) => state.rigs?.rigs ?? NONE)
  const rows: readonly WhyRow[] = rigs.map((rig) => ({
    label: rig.name,
    isForeign: true,
    value: rig.online && rig.figures !== null ? PARTS[of](rig, rig.figures) : t('ui.why.row.offline'),
  }))
  return <WhyText of={of} rows={rows} />
}

const NONE: readonly RigView[] = []
