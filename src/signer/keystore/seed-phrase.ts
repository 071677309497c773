// Keys from a text: its digits, or a seed phrase, BIP-39 words from which BIP-32 derives one key at a BIP-44 path.
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { wipe } from '../../base/bytes'
import { bytesOfHex } from '../../base/hex'
import { KeystoreError } from '../errors'

/** The first account of this family's wallets: all of them use coin type 60. */
export const FIRST_ACCOUNT_PATH = "m/44'/60'/0'/0/0"

export const HEX_DIGITS = 64
const WORD_COUNTS = [12, 15, 18, 21, 24]
export const WORDS_WANTED = '12, 15, 18, 21 or 24'
export const EXPORT_FIRST = "export the account's private key or its key file (V3) from that program, and import that"

/** Formats that can't be imported, by a pattern of the text. */
export const FOREIGN_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN (?:EC |ENCRYPTED )?PRIVATE KEY-----/, `a key in PEM: ${EXPORT_FIRST}`],
  [/-----BEGIN OPENSSH PRIVATE KEY-----/, 'an SSH key, which is no key of an account'],
  [/-----BEGIN TENDERMINT PRIVATE KEY-----/, `an armored key of Cosmos: ${EXPORT_FIRST}`],
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

const MAX_DEPTH = 10
const PATH = new RegExp(`^m(/\\d{1,10}'?){1,${MAX_DEPTH}}$`)
/** Half of all indexes are hardened. */
const MAX_INDEX = 2 ** 31 - 1

/** The words of a text that can only be a seed phrase, single-spaced; null for any other text. */
export function readSeedPhrase(text: string): string | null {
  const words = text.normalize('NFKD').trim().toLowerCase().split(/\s+/)
  return WORD_COUNTS.includes(words.length) && words.every((word) => /^[a-z]+$/.test(word)) ? words.join(' ') : null
}

export const BARE_KEY = /^\s*(?:0x)?([0-9a-fA-F]{64})\s*$/

/** The key in a text of 64 hex digits, with or without 0x; else null. @returns 32 bytes; the caller wipes them */
export function readSecretFile(text: string): Uint8Array | null {
  const match = BARE_KEY.exec(text)
  return match?.[1] === undefined ? null : bytesOfHex(match[1])
}

/** Of a text that has no password of its own; null for any other. @throws KeystoreError KEYSTORE_PHRASE_INVALID */
export function bareSecretOf(text: string, path = FIRST_ACCOUNT_PATH): Uint8Array | null {
  const phrase = readSeedPhrase(text)
  return phrase === null ? readSecretFile(text) : secretOfPhrase(phrase, path)
}

/**
 * The private key at a path.
 * @param phrase from readSeedPhrase; English words, no passphrase
 * @param path `m/44'/60'/0'/0/0`; `h` or `H` may stand for the apostrophe
 * @returns 32 bytes; the caller wipes them
 * @throws KeystoreError KEYSTORE_PHRASE_INVALID; it never repeats a word
 */
export function secretOfPhrase(phrase: string, path: string): Uint8Array {
  if (!validateMnemonic(phrase, wordlist)) {
    const strange = phrase.split(' ').findIndex((word) => !wordlist.includes(word))
    throw phraseInvalid(strange < 0 ? null : strange + 1)
  }
  const indexes = path.match(/\d+/g) ?? []
  const plain = path.replace(/(?<=\d)[hH](?=\/|$)/g, "'")
  if (!PATH.test(plain) || indexes.some((index) => Number(index) > MAX_INDEX)) {
    const reason = `path ${path.slice(0, 80)} is not like ${FIRST_ACCOUNT_PATH}`
    throw new KeystoreError('KEYSTORE_PHRASE_INVALID', { reason })
  }
  const seed = mnemonicToSeedSync(phrase)
  try {
    const node = HDKey.fromMasterSeed(seed).derive(plain)
    const { privateKey } = node
    if (privateKey === null)
      throw new KeystoreError('KEYSTORE_PHRASE_INVALID', { reason: 'there is no key at this path' })
    const secret = new Uint8Array(privateKey)
    node.wipePrivateData()
    return secret
  } finally {
    wipe(seed)
  }
}

/** @param word number of one that isn't on the list; null: its checksum is wrong */
export function phraseInvalid(word: number | null): InstanceType<typeof KeystoreError> {
  return word === null
    ? new KeystoreError('KEYSTORE_PHRASE_INVALID', { reason: 'its checksum is wrong, so a word is wrong or misplaced' })
    : new KeystoreError('KEYSTORE_PHRASE_INVALID', { reason: `word ${word} is not on the English list`, word })
}

/** Index in FOREIGN_TEXTS; null for none of them. @param text trimmed */
export function foreignText(text: string): number | null {
  const found = FOREIGN_TEXTS.findIndex(([pattern]) => pattern.test(text))
  return found < 0 ? null : found
}

/** A text without a password that is no key. @param format index in FOREIGN_TEXTS; null for none of them */
export function notBare(format: number | null): InstanceType<typeof KeystoreError> {
  const known = format === null ? null : FOREIGN_TEXTS[format]?.[1]
  return known == null
    ? new KeystoreError('KEYSTORE_FILE_INVALID', {
        reason: `it is no key file; want ${HEX_DIGITS} hex digits, or a seed phrase of ${WORDS_WANTED} English words`,
      })
    : new KeystoreError('KEYSTORE_FILE_INVALID', { reason: `it is ${known}`, ...(format !== null && { format }) })
}
