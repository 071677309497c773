// What a text is that looks like a key and can't be imported, and what to do with it: one clear sentence a format.
import { isJsonObject } from '../../base/json-text'

const HEX_DIGITS = 64
const WORD_COUNTS = '12, 15, 18, 21 or 24'
const EXPORT = "export the account's private key or its key file (V3) from that program, and import that"

/** By a pattern of the text. */
const TEXTS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN (?:EC |ENCRYPTED )?PRIVATE KEY-----/, `a key in PEM: ${EXPORT}`],
  [/-----BEGIN OPENSSH PRIVATE KEY-----/, 'an SSH key, which is no key of an account'],
  [/-----BEGIN TENDERMINT PRIVATE KEY-----/, `an armored key of Cosmos: ${EXPORT}`],
  [
    /^[xyz]prv[1-9A-HJ-NP-Za-km-z]{90,}$/,
    'an extended private key (BIP-32): import the seed phrase, or one private key of it',
  ],
  [/^[xyz]pub[1-9A-HJ-NP-Za-km-z]{90,}$/, 'an extended public key, which cannot sign'],
  [/^6P[1-9A-HJ-NP-Za-km-z]{56}$/, 'an encrypted paper wallet (BIP-38): decrypt it and import the private key'],
  [/^[5KL][1-9A-HJ-NP-Za-km-z]{50,51}$/, 'a Bitcoin key (WIF): convert it to 64 hex digits'],
  [/^(?:0x)?[0-9a-fA-F]{40}$/, 'an address, which is no key'],
  [/^(?:0x)?[0-9a-fA-F]{128}$/, 'a public key or a signature of 64 bytes, which is no private key'],
  [/^ur:/i, 'a QR code of an offline device: connect it with headframe account airgap'],
]

/** By a member of the JSON object. */
const OBJECTS: readonly (readonly [readonly string[], string])[] = [
  [['encseed'], 'a presale wallet whose seed or address is incomplete'],
  [['data', 'iv', 'salt'], `the vault of MetaMask or a program like it: ${EXPORT}`],
  [['KeyringController'], `the storage of MetaMask: ${EXPORT}`],
  [['encoded', 'encoding'], `a key file of Polkadot: it is for another kind of key`],
  [['seed_version'], `a wallet of Electrum: ${EXPORT}`],
  [['keystore', 'wallet_type'], `a wallet of Electrum: ${EXPORT}`],
  [['mnemonic'], 'a file around a seed phrase: import the words alone'],
  [['privateKey'], 'a file around a private key: import its 64 hex digits alone'],
  [['private_key'], 'a file around a private key: import its 64 hex digits alone'],
]

/** Null for what may be a key file, a bare key or a seed phrase. The sentence never repeats any of the text. */
export function foreignFormat(text: string): string | null {
  const trimmed = text.trim()
  const known = TEXTS.find(([pattern]) => pattern.test(trimmed))
  if (known !== undefined) return `it is ${known[1]}`
  const value = jsonOf(trimmed)
  if (isJsonObject(value)) return objectFormat(value)
  if (Array.isArray(value)) {
    const isKey = value.length === 64 && value.every((byte) => typeof byte === 'number')
    return isKey ? 'it is a key of Solana, which is another kind of key' : 'it is a list, want one key file (V3)'
  }
  return plainFormat(trimmed)
}

function objectFormat(value: object): string | null {
  const crypto: unknown = Object.getOwnPropertyDescriptor(value, 'crypto')?.value
  if (isJsonObject(crypto) && Object.hasOwn(crypto, 'checksum')) {
    return 'it is a validator key (EIP-2335), which is another kind of key'
  }
  const found = OBJECTS.find(([members]) => members.every((name) => Object.hasOwn(value, name)))
  return found === undefined ? null : `it is ${found[1]}`
}

/** A key or a phrase with a slip. */
function plainFormat(text: string): string | null {
  const digits = /^(?:0x)?([0-9a-fA-F]{50,80})$/.exec(text)?.[1]?.length
  if (digits !== undefined && digits !== HEX_DIGITS)
    return `it has ${digits} hex digits, a private key has ${HEX_DIGITS}`
  const words = text.split(/[\s,;."']+/).filter((word) => word !== '')
  const isPhrase = words.length >= 9 && words.length <= 30 && words.every((word) => /^\p{L}{2,12}$/u.test(word))
  if (!isPhrase) return null
  return `it looks like a seed phrase of ${words.length} words; want ${WORD_COUNTS} English words with single blanks and nothing else`
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
