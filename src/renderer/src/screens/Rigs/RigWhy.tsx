// What the figures of one rig are made of: what each of its devices adds.
import type { ReactNode } from 'react'
import type { RigGpuView } from '../../../../contract/rigs'
import { Value } from '../../widgets/facts/Value'
import { type WhyRow, WhyText } from '../../widgets/why/WhyText'
import { Shares } from '../Overview/MinerCards'

/** A rig's API reports 0 for unknown. */
const known = (value: number): number | null => (value > 0 ? value : null)

const PARTS = {
  rigRate: ({ hashrate }) => <Value kind="hashrate" value={hashrate.s60} />,
  powerSum: ({ powerWatts }) => <Value kind="watts" value={known(powerWatts)} />,
  efficiency: ({ hashrate, powerWatts }) => (
    <Value kind="efficiency" value={powerWatts > 0 ? hashrate.s60 / powerWatts : null} />
  ),
  rigShares: ({ shares }) => <Shares {...shares} />,
  hottest: ({ temperature }) => <Value kind="celsius" value={known(Math.max(...Object.values(temperature)))} />,
} as const satisfies Readonly<Record<string, (gpu: RigGpuView) => ReactNode>>

export interface RigWhyProps {
  readonly of: keyof typeof PARTS
  readonly gpus: readonly RigGpuView[]
}

export function RigWhy({ of, gpus }: RigWhyProps) {
  const rows: readonly WhyRow[] = gpus.map((gpu, index) => ({
    label: `${index} ${gpu.name}`,
    isForeign: true,
    value: PARTS[of](gpu),
  }))
  return <WhyText of={of} rows={rows} />
}
