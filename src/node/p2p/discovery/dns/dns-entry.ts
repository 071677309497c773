// The four kinds of TXT entries of a signed node list, and how its address names the signing key. Source: EIP-1459
import { equalBytes } from '../../../../base/bytes'
import { secp256k1 } from '../../../../native/secp256k1'
import { keccak256 } from '../../../codec/keccak'
import { fail, ok, type Result } from '../../../codec/result'
import { type NodeRecord, readRecordText } from '../../../identity/enr'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const MAX_CHARACTERS = 1_024
const MAX_CHILDREN = 32
/** A shorter abbreviated hash could be matched by brute force. */
const MIN_HASH_BYTES = 12

/** An `enrtree://` address: the domain and the signing key. */
export interface TreeAddress {
  /** As given; identifies the tree. */
  readonly url: string
  /** Public key that signs the root, 64 bytes. */
  readonly key: Uint8Array
  readonly domain: string
}

/** The signed entry at the top of a list. */
export interface TreeRoot {
  /** Subdomains of the root entries for nodes and for links. */
  readonly nodes: string
  readonly links: string
  readonly sequence: number
}

/** A TXT entry below the root. Its name is a hash of its text, so it can't be replaced. */
export type TreeEntry =
  | { readonly kind: 'branch'; readonly children: readonly string[] }
  | { readonly kind: 'node'; readonly record: NodeRecord }
  | { readonly kind: 'link'; readonly address: TreeAddress }

/** Reads `enrtree://KEY@DOMAIN`. */
export function readTreeAddress(url: string): Result<TreeAddress> {
  const [, keyText = '', domain = ''] = /^enrtree:\/\/([A-Z2-7]{50,56})@([A-Za-z0-9._-]{1,253})$/.exec(url) ?? []
  const bytes = base32(keyText)
  const key = bytes === null ? null : secp256k1().expandKey(bytes)
  return key === null
    ? fail('want enrtree://KEY@DOMAIN with a public key')
    : ok({ url, key, domain: domain.toLowerCase() })
}

/** Parses a root and verifies the tree key's signature. */
export function readTreeRoot(text: string, key: Uint8Array): Result<TreeRoot> {
  const form =
    /^(enrtree-root:v1 e=([A-Z2-7]{16,56}) l=([A-Z2-7]{16,56}) seq=(\d{1,15})) sig=([A-Za-z0-9_-]{86,88})={0,2}$/
  const [, signed = '', nodes = '', links = '', sequence = '', signatureText = ''] = form.exec(text) ?? []
  const signature = new Uint8Array(Buffer.from(signatureText, 'base64url'))
  if (signature.length !== 65) return fail('root is not of the form enrtree-root:v1')
  const digest = keccak256(new TextEncoder().encode(signed))
  if (!secp256k1().verify(digest, signature.subarray(0, 64), key))
    return fail('root is not signed by the key of the tree')
  return ok({ nodes, links, sequence: Number(sequence) })
}

/** Parses an entry and verifies that its hash begins with its subdomain. */
export function readTreeEntry(text: string, subdomain: string): Result<TreeEntry> {
  if (text.length > MAX_CHARACTERS) return fail(`entry of ${text.length} characters`)
  const wanted = base32(subdomain)
  const hash = keccak256(new TextEncoder().encode(text))
  if (wanted === null || wanted.length < MIN_HASH_BYTES || !equalBytes(hash.subarray(0, wanted.length), wanted))
    return fail('entry does not match its hash')
  if (text.startsWith('enrtree-branch:')) return readBranch(text.slice('enrtree-branch:'.length))
  if (text.startsWith('enrtree://')) {
    const address = readTreeAddress(text)
    return address.ok ? ok({ kind: 'link', address: address.value }) : address
  }
  const record = text.startsWith('enr:') ? readRecordText(text) : fail('entry of an unknown kind')
  return record.ok ? ok({ kind: 'node', record: record.value }) : record
}

function readBranch(list: string): Result<TreeEntry> {
  const children = list === '' ? [] : list.split(',')
  const areHashes = children.every((child) => /^[A-Z2-7]{16,56}$/.test(child))
  if (!areHashes || children.length > MAX_CHILDREN) return fail('branch is not a list of hashes')
  return ok({ kind: 'branch', children })
}

/** RFC 4648 without padding; null for invalid characters, impossible lengths, or nonzero trailing bits. */
export function base32(text: string): Uint8Array | null {
  const out: number[] = []
  let bits = 0
  let held = 0
  for (const character of text) {
    const value = ALPHABET.indexOf(character)
    if (value === -1) return null
    held = ((held << 5) | value) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    out.push((held >> bits) & 0xff)
  }
  const isWhole = bits < 5 && (held & ((1 << bits) - 1)) === 0
  return isWhole ? Uint8Array.from(out) : null
}
