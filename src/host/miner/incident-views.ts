// Incidents in the contract's shape.
import { WEI_PER_MICRO } from '../../base/units'
import type { IncidentView } from '../../contract/incidents'
import { type Incident, kindOf } from '../../miner/incidents/incident'
import { known, missing } from '../../miner/stats/money-figures'

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
