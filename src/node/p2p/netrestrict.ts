// --netrestrict: networks we talk to. Addresses outside are neither dialed, answered nor remembered.
import { isInNetwork, parseIp, parseNetwork } from '../identity/ip-address'

/** The networks of --netrestrict; without the option everything is allowed. */
export interface NetRestrict {
  /** True for an IP literal inside one of the networks; DNS names are never inside. */
  allows(host: string): boolean
}

/** @param networks such as `10.0.0.0/8`, validated by the option's type; none restrict nothing @throws RangeError */
export function netRestrict(networks: readonly string[]): NetRestrict {
  if (networks.length === 0) return { allows: () => true }
  const parsed = networks.map((text) => {
    const read = parseNetwork(text)
    if (read === null) throw new RangeError(`"${text}" is not a network such as 10.0.0.0/8`)
    return read
  })
  return {
    allows(host) {
      const address = parseIp(host)
      return address !== null && parsed.some(({ network, bits }) => isInNetwork(address, network, bits))
    },
  }
}
