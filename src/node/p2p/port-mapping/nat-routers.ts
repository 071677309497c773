// The routers to try for each --nat mode.
import type { Clock } from '../../../base/time'
import type { NatMode } from '../../../config/values/p2p-values'
import { gatewayHosts } from './nat-gateway'
import { PMP_PORT, PmpRouter } from './nat-pmp'
import type { NatRouter } from './nat-router'
import { SSDP_ADDRESS, UpnpRouter } from './nat-upnp'

/** Clock and randomness for every kind of router. */
export interface RoutersDeps {
  readonly clock: Clock
  readonly randomBytes: (length: number) => Uint8Array
}

/** For `NatDeps.routers` in production. */
export function realRouters(deps: RoutersDeps): (mode: NatMode) => Promise<readonly NatRouter[]> {
  return async ({ kind }) => {
    const upnp = kind === 'any' || kind === 'upnp' ? [new UpnpRouter(SSDP_ADDRESS, deps)] : []
    const hosts = kind === 'any' || kind === 'pmp' ? await gatewayHosts() : []
    return [...upnp, ...hosts.map((host) => new PmpRouter({ host, port: PMP_PORT }, deps))]
  }
}
