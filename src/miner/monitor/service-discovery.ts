// GET /api/v1/sd: the configured rigs in the format of Prometheus' HTTP service discovery.
import type { RigLabels } from '../../config/values/rig-address'

/** A rig as a target of Prometheus. */
export interface RigTarget {
  readonly name: string
  /** `host:port`, IPv6 in brackets */
  readonly host: string
  /** the operator's; never the name `rig` */
  readonly labels: RigLabels
}

/** One group per rig, so that each keeps its name and labels. Tokens aren't included. */
export function serviceDiscovery(targets: readonly RigTarget[]) {
  return targets.map(({ name, host, labels }) => ({ targets: [host], labels: { rig: name, ...labels } }))
}
