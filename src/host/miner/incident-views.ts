// Incidents and places for alerts in the contract's shape.
import { WEI_PER_MICRO } from '../../base/units'
import type { IncidentView, SinkView } from '../../contract/incidents'
import { type Incident, kindOf } from '../../miner/incidents/incident'
import { known, missing } from '../../miner/stats/money-figures'
import type { Incidents } from './create-incidents'

/** An incident in the contract's shape. */
export function incidentView(incident: Incident): IncidentView {
  const { hashes, micro, condition: _, lastAt: __, ...shown } = incident
  return {
    ...shown,
    kind: kindOf(incident),
    hashes: hashes === null ? missing('not-measured') : known(hashes),
    income:
      micro === null
        ? missing(hashes === null ? 'not-measured' : 'no-network-difficulty')
        : known(String(BigInt(Math.round(micro)) * WEI_PER_MICRO)),
  }
}

/** The places in the contract's shape; the desktop comes last. */
export function sinkViews({ desk, desktop }: Pick<Incidents, 'desk' | 'desktop'>): SinkView[] {
  const sinks = desk.sinks()
  const own = { kind: 'desktop', name: '', level: 'attention', isEscalation: false } as const
  if (desktop === null) return sinks.map((sink) => ({ ...sink }))
  const lastSent = desktop.testedAt === null ? null : { at: desktop.testedAt, fault: '' }
  return [...sinks, { index: sinks.length, ...own, lastSent }]
}

/** Sends a test to one place. @returns why it failed; empty when it arrived */
export async function testAlert(
  { desk, desktop }: Pick<Incidents, 'desk' | 'desktop'>,
  index: number,
): Promise<string> {
  if (desktop === null || index !== desk.sinks().length) return desk.test(index)
  desktop.test()
  return ''
}
