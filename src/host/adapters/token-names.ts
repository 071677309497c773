// Token names from contracts through our node: anyone can claim anything, so they are cut, sanitized, shown with address.
import { z } from 'zod'
import { bytesOfHex } from '../../base/hex'
import type { TokenNameView } from '../../contract/signer'
import type { NodeService } from '../../node/node-service'
import type { PolicyChain } from '../../signer/ports'

/** More tokens than a user compares; further ones aren't read. */
const MAX_TOKENS = 8
/** Enough for a proxy and a string; stops an endless loop. */
const GAS = 200_000n
const SYMBOL = bytesOfHex('0x95d89b41') // symbol()
const DECIMALS = bytesOfHex('0x313ce567') // decimals()
/** supportsInterface(0x80ac58cd), ERC-165: whether it is an ERC-721 token. */
const IS_ERC721 = bytesOfHex(`0x01ffc9a780ac58cd${'0'.repeat(56)}`)
const MAX_DECIMALS = 36n
const MAX_SYMBOL = 16
const WORD = 32
/** Bytes of a name that are decoded. */
const MOST_READ = 4 * WORD

const answer = z.string().regex(/^0x([0-9a-f]{2})*$/)

/** What policies ask of our node. @param node null when this run has none; looked up per request */
export function policyChain(node: () => NodeService | null): PolicyChain {
  return {
    nonceOf: async (account) => {
      const running = node()
      if (running === null) return 'absent'
      if (running.head() === null) return null
      try {
        return (await running.reader.account(bytesOfHex(account)))?.nonce ?? null
      } catch {
        return null // the node's own log has the reason
      }
    },
    standardOf: async (contract) => {
      const running = node()
      if (running === null || running.head() === null || contract === '') return null
      const never = new AbortController().signal
      const [numbered, decimals] = await Promise.all([
        asked(running, { contract, data: IS_ERC721 }, never),
        asked(running, { contract, data: DECIMALS }, never),
      ])
      if (smallNumber(numbered) === 1) return 'erc721'
      const isNotNumbered = numbered.length === 0 || smallNumber(numbered) === 0
      return isNotNumbered && decimalsIn(decimals) !== null ? 'erc20' : null
    },
  }
}

/** Each contract once. Never rejects: without an answer there is no claim. */
export async function tokenNames(
  node: NodeService,
  contracts: readonly string[],
  signal: AbortSignal,
): Promise<readonly TokenNameView[]> {
  const each = [...new Map(contracts.map((contract) => [contract.toLowerCase(), contract])).values()]
  return Promise.all(
    each.slice(0, MAX_TOKENS).map(async (contract) => {
      const [symbol, decimals] = await Promise.all([
        asked(node, { contract, data: SYMBOL }, signal),
        asked(node, { contract, data: DECIMALS }, signal),
      ])
      return { contract, symbol: symbolIn(symbol), decimals: decimalsIn(decimals) }
    }),
  )
}

/** The contract's answer; empty without one. */
async function asked(
  node: NodeService,
  { contract, data }: { readonly contract: string; readonly data: Uint8Array },
  signal: AbortSignal,
): Promise<Uint8Array> {
  const rest = { from: null, gasPrice: null, feeCap: null, tip: null, value: 0n, nonce: null, accessList: null }
  const call = { ...rest, to: bytesOfHex(contract.toLowerCase()), gas: GAS, data }
  try {
    const text = await node.queries().ask({ kind: 'call', at: LATEST, call, overrides: [] }, { signal })
    return bytesOfHex(answer.parse(JSON.parse(text)))
  } catch {
    return new Uint8Array(0)
  }
}

const LATEST = { kind: 'tag', tag: 'latest' } as const

/** A `string`, or the `bytes32` of older tokens: visible letters, digits and symbols, up to 16. Empty unless it is UTF-8. */
export function symbolIn(bytes: Uint8Array): string {
  const { text: given, isCut } = bytes.length === WORD ? { text: bytes, isCut: false } : stringIn(bytes)
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(given, { stream: isCut }) // half a character may be left
  } catch {
    return ''
  }
  // Excludes invisible and bidi characters, stacking marks, and quotation marks.
  const seen = text.replace(/[\p{C}\p{M}\p{Z}\p{Pi}\p{Pf}"'`\uFFFD]/gu, '')
  const characters = [...seen]
  return characters.length > MAX_SYMBOL ? `${characters.slice(0, MAX_SYMBOL).join('')}…` : seen
}

/** @param bytes ABI: offset, length, text @returns isCut: it goes on, which a symbol needn't */
function stringIn(bytes: Uint8Array): { readonly text: Uint8Array; readonly isCut: boolean } {
  const offset = smallNumber(bytes.subarray(0, WORD))
  const length = offset === null ? null : smallNumber(bytes.subarray(offset, offset + WORD))
  if (offset === null || length === null) return { text: new Uint8Array(0), isCut: false }
  const start = offset + WORD
  return { text: bytes.subarray(start, start + Math.min(length, MOST_READ)), isCut: length > MOST_READ }
}

/** Null when the word is missing or too large. */
function smallNumber(word: Uint8Array): number | null {
  if (word.length !== WORD || word.subarray(0, WORD - 3).some((byte) => byte !== 0)) return null
  return ((word[WORD - 3] ?? 0) << 16) | ((word[WORD - 2] ?? 0) << 8) | (word[WORD - 1] ?? 0)
}

/** Null unless it is a number up to 36: with more, any amount would look like nothing. */
export function decimalsIn(bytes: Uint8Array): number | null {
  const decimals = smallNumber(bytes)
  return decimals === null || decimals > MAX_DECIMALS ? null : decimals
}
