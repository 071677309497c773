// What an Electron without security fixes may do: show the practice network, but neither render untrusted content nor stand beside keys
// that are worth something.

/** Electron supports the three newest major versions; package.json has the newest. */
export const MIN_ELECTRON_MAJOR = 43

/** @param version `process.versions.electron`; undefined in plain Node */
export function isOldElectron(version: string | undefined): boolean {
  return version !== undefined && Number.parseInt(version, 10) < MIN_ELECTRON_MAJOR
}

/** Its version, for the window; nothing in any other. */
export function oldElectron(version: string | undefined = process.versions.electron): {
  readonly oldElectron?: string
} {
  return version !== undefined && isOldElectron(version) ? { oldElectron: version } : {}
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
