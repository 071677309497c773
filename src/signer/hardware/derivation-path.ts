// Derivation paths (BIP-32, BIP-44) as Ledger's Ethereum app accepts them: only below coin type 60, whatever the chain.
import { SignerError } from '../errors'

const PREFIX = "m/44'/60'"
const MAX_DEPTH = 10
const MAX_INDEX = 2 ** 31 - 1

/** How wallets number a device's accounts. */
const SCHEMES = [
  // Ledger's own program; BIP-44, also used for seed phrases here; programs before 2018
  (index: number) => `${PREFIX}/${index}'/0/0`,
  (index: number) => `${PREFIX}/0'/0/${index}`,
  (index: number) => `${PREFIX}/0'/${index}`,
]

/** The first `count` paths of each scheme, without duplicates. */
export function usualPaths(count: number): readonly string[] {
  const indices = Array.from({ length: count }, (_, index) => index)
  return [...new Set(SCHEMES.flatMap((pathAt) => indices.map(pathAt)))]
}

/**
 * The canonical spelling of a path: `m/`, apostrophes for hardened indices, no leading zeros.
 * @param text with or without `m/`; hardened by `'`, `h` or `H`
 * @throws SignerError SIGNER_DEVICE_PATH
 */
export function canonicalPath(text: string): string {
  const path = spelledPath(text)
  if (path.startsWith(`${PREFIX}/`)) return path
  const reason = `want one below ${PREFIX}, the only coin type that its app derives`
  throw new SignerError('SIGNER_DEVICE_PATH', { path: text.slice(0, 100), reason })
}

/** The same for any coin type. @throws SignerError SIGNER_DEVICE_PATH */
export function spelledPath(text: string): string {
  const fail = (reason: string): never => {
    throw new SignerError('SIGNER_DEVICE_PATH', { path: text.slice(0, 100), reason })
  }
  const parts = text.trim().replace(/^m\//i, '').split('/')
  if (parts.length > MAX_DEPTH) fail(`want up to ${MAX_DEPTH} indices`)
  const spelled = parts.map((part) => {
    const match = /^(\d{1,10})(['hH]?)$/.exec(part)
    const index = Number(match?.[1])
    if (match === null || index > MAX_INDEX)
      return fail(`${JSON.stringify(part.slice(0, 20))} isn't an index of 0 to 2^31-1`)
    return `${index}${match[2] === '' ? '' : "'"}`
  })
  return `m/${spelled.join('/')}`
}
