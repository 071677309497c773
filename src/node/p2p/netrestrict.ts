// --netrestrict: networks we talk to. Addresses outside are neither dialed, answered nor remembered.
import { isInNetwork, parseIp } from '../identity/ip-address'

/** The networks of --netrestrict; without the option everything is allowed. */
export interface NetRestrict {
  /** True for an IP literal inside one of the networks; DNS names are never inside. */
  allows(host: string): boolean
}

/**
 * @param networks in the option's form (`10.0.0.0/8`); an empty list restricts nothing
 * @throws RangeError when a text isn't a network: the option's type has validated it before
 */
export function netRestrict(networks: readonly string[]): NetRestrict {
  if (networks.length === 0) return { allows: () => true }
  const parsed = networks.map(parseNetwork)
  return {
    allows(host) {
      const address = parseIp(host)
      return address !== null && parsed.some(({ network, bits }) => isInNetwork(address, network, bits))
    },
  }
}

function parseNetwork(text: string): { readonly network: Uint8Array; readonly bits: number } {
  const [host = '', bitsText = ''] = text.split('/')
  const network = parseIp(host)
  const bits = Number(bitsText)
  if (network === null || !/^\d{1,3}$/.test(bitsText) || bits > 8 * network.length)
    throw new RangeError(`"${text}" is not a network such as 10.0.0.0/8`)
  return { network, bits }
}
