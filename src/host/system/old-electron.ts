// Whether this Electron's browser engine still gets security fixes. `npm start` may fall back to an old one when the
// official one isn't available: good enough to look at the practice network, but not to render untrusted content beside
// real keys.

/** Electron supports the three newest major versions; package.json has the newest. */
export const MIN_ELECTRON_MAJOR = 43

/** @param version `process.versions.electron`; undefined in plain Node */
export function isOldElectron(version: string | undefined): boolean {
  return version !== undefined && Number.parseInt(version, 10) < MIN_ELECTRON_MAJOR
}

/** Of the main network, whose coins have value. */
const MAIN_CHAIN_ID = 2110

/**
 * Whether keys may be opened and created. A supported Electron, and plain Node, may open all.
 * @param of `chainId`: the signer's
 */
export function isKeyUseAllowed(version: string | undefined, of: { network: string; chainId: number }): boolean {
  return !isOldElectron(version) || (of.network !== 'main' && of.chainId !== MAIN_CHAIN_ID)
}

/** Networks with valuable coins, or with unknown peers and pools. */
const PUBLIC_NETWORKS: readonly string[] = ['main', 'test']

/** Whether windows may be opened. @param network of this run */
export function isWindowAllowed(version: string | undefined, network: string): boolean {
  return !isOldElectron(version) || !PUBLIC_NETWORKS.includes(network)
}
