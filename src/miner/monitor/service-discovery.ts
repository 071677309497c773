// GET /api/v1/sd: the configured rigs in the shape of Prometheus' HTTP service discovery.
import type { RigLabels } from '../../config/values/rig-address'

export interface RigTarget {
  readonly name: string
  /** `host:port`, IPv6 in brackets */
  readonly host: string
  /** of the operator; never the name `rig` */
  readonly labels: RigLabels
}

export interface SdGroup {
  readonly targets: readonly string[]
  readonly labels: Readonly<Record<string, string>>
}

/** One group a rig, so that each keeps its name and its labels. Tokens stay here. */
export function serviceDiscovery(targets: readonly RigTarget[]): readonly SdGroup[] {
  return targets.map(({ name, host, labels }) => ({ targets: [host], labels: { rig: name, ...labels } }))
}
