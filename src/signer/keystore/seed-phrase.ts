// Keys from a seed phrase: BIP-39 words, from which BIP-32 derives one key at a BIP-44 path.
import { HDKey } from '@scure/bip32'
import { mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import { wipe } from '../../base/bytes'
import { KeystoreError } from '../errors'

/** The first account of this family's wallets: all of them use coin type 60. */
export const FIRST_ACCOUNT_PATH = "m/44'/60'/0'/0/0"

const WORD_COUNTS = [12, 15, 18, 21, 24]
const MAX_DEPTH = 10
const PATH = new RegExp(`^m(/\\d{1,10}'?){1,${MAX_DEPTH}}$`)
/** Half of all indexes are hardened. */
const MAX_INDEX = 2 ** 31 - 1

/** The words of a text that can only be a seed phrase, single-spaced; null for any other text. */
export function readSeedPhrase(text: string): string | null {
  const words = text.normalize('NFKD').trim().toLowerCase().split(/\s+/)
  return WORD_COUNTS.includes(words.length) && words.every((word) => /^[a-z]+$/.test(word)) ? words.join(' ') : null
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
    const reason =
      strange < 0
        ? 'its checksum is wrong, so a word is wrong or misplaced'
        : `word ${strange + 1} is not on the English list`
    throw new KeystoreError('KEYSTORE_PHRASE_INVALID', { reason })
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
