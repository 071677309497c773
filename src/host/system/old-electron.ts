// Whether the browser engine in this Electron still gets security fixes. `npm start` can come up with an old one where the
// official one cannot be had: good enough to look at the practice network, not to draw what strangers send beside real keys.

/** Electron's makers mend the three newest major versions; package.json has the newest. */
export const MIN_ELECTRON_MAJOR = 43

/** @param version `process.versions.electron`; undefined in plain Node */
export function isOldElectron(version: string | undefined): boolean {
  return version !== undefined && Number.parseInt(version, 10) < MIN_ELECTRON_MAJOR
}

/** Of the main network, whose coins somebody paid for. */
const MAIN_CHAIN_ID = 2110

/**
 * Whether keys may be opened and made here. A supported Electron, and plain Node, open all of them.
 * @param of `chainId`: what the signer signs for
 */
export function isKeyUseAllowed(version: string | undefined, of: { network: string; chainId: number }): boolean {
  return !isOldElectron(version) || (of.network !== 'main' && of.chainId !== MAIN_CHAIN_ID)
}

/** Networks whose coins somebody pays for, or whose peers and pools are strangers. */
const PUBLIC_NETWORKS: readonly string[] = ['main', 'test']

/** Whether windows may be opened here. @param network of this start */
export function isWindowAllowed(version: string | undefined, network: string): boolean {
  return !isOldElectron(version) || !PUBLIC_NETWORKS.includes(network)
}
