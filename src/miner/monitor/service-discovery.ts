// GET /api/v1/sd: the configured rigs in the shape of Prometheus' HTTP service discovery.

export interface RigTarget {
  readonly name: string
  /** `host:port`, IPv6 in brackets */
  readonly host: string
}

export interface SdGroup {
  readonly targets: readonly string[]
  readonly labels: Readonly<Record<string, string>>
}

/** One group a rig, so that each keeps its name. Tokens stay here. */
export function serviceDiscovery(targets: readonly RigTarget[]): readonly SdGroup[] {
  return targets.map(({ name, host }) => ({ targets: [host], labels: { rig: name } }))
}
