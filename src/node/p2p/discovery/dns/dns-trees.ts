// Walks DNS node lists entry by entry: a few queries per second, each entry verified against its hash, each root
// against its key. Source: EIP-1459; go-ethereum p2p/dnsdisc (rate, recheck)
import { equalBytes } from '../../../../base/bytes'
import { messageOf } from '../../../../base/errors'
import { Emitter } from '../../../../base/events'
import { BoundedMap } from '../../../../base/limits/bounded-map'
import { secp256k1 } from '../../../../native/secp256k1'
import { keccak256 } from '../../../codec/keccak'
import { fail, ok, type Result } from '../../../codec/result'
import { DiscoveryError } from '../../../errors'
import { type NodeRecord, readRecordText } from '../../../identity/enr'
import type { NetworkParts } from '../../network-parts'
import { Tasks } from '../tasks'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const MAX_CHARACTERS = 1_024
const MAX_CHILDREN = 32
/** A shorter abbreviated hash could be matched by brute force. */
const MIN_HASH_BYTES = 12

/** An `enrtree://` address: the domain and the signing key. */
interface TreeAddress {
  /** As given; identifies the tree. */
  readonly url: string
  /** Public key that signs the root, 64 bytes. */
  readonly key: Uint8Array
  readonly domain: string
}

interface TreeRoot {
  /** Subdomains of the root entries for nodes and for links. */
  readonly nodes: string
  readonly links: string
  readonly sequence: number
}

/** A TXT entry below the root. Its name is a hash of its text, so it can't be replaced. */
type TreeEntry =
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

const MAX_TREES = 16
const MAX_ENTRIES_OF_TREE = 4_000
const MAX_CACHED = 1_000
const MAX_TRIES = 3

/** Pace of the walk: between two questions, between two checks for work, and until a root is queried again. */
const TIMES = { questionMs: 334, idleMs: 30_000, recheckMs: 30 * 60_000 }
export type TreeTimes = Readonly<typeof TIMES>

/** The TXT records of a name, each as one text. @throws when there is no answer */
export type ResolveTxt = (name: string, signal: AbortSignal) => Promise<readonly string[]>

interface DnsTreesDeps extends Pick<NetworkParts, 'randomBytes' | 'clock' | 'log'> {
  readonly resolveTxt: ResolveTxt
}

interface Wanted {
  readonly subdomain: string
  /** The kind of leaf expected besides branches. */
  readonly leaf: 'node' | 'link'
  readonly tries: number
}

interface Tree {
  readonly address: TreeAddress
  root: TreeRoot | null
  /** monotonic ms of the last root query */
  askedAt: number | null
  wanted: Wanted[]
  readonly seen: Set<string>
}

/** Walks all lists in turn. An unreadable list is retried later; it doesn't stop the others. */
export class DnsTrees {
  readonly events = new Emitter<{ recordFound: NodeRecord }>()
  readonly #trees: Tree[] = []
  /** Content-addressed, so entries never change. */
  readonly #cache = new BoundedMap<string, TreeEntry>(MAX_CACHED)
  readonly #tasks: Tasks
  #turn = 0

  /** @throws DiscoveryError P2P_DNS_TREE for an invalid tree address */
  constructor(
    urls: readonly string[],
    private readonly deps: DnsTreesDeps,
    private readonly times: TreeTimes = TIMES,
  ) {
    this.#tasks = new Tasks(deps)
    for (const url of urls) {
      const address = readTreeAddress(url)
      if (!address.ok) throw new DiscoveryError('P2P_DNS_TREE', { tree: url, reason: address.error })
      this.#addTree(address.value)
    }
  }

  get trees(): number {
    return this.#trees.length
  }

  start(): void {
    if (this.#trees.length === 0) return
    this.#tasks.repeat(
      () => (this.#next() === null ? this.times.idleMs : this.times.questionMs),
      () => this.#step(),
    )
  }

  stop(): Promise<void> {
    return this.#tasks.stop()
  }

  async #step(): Promise<void> {
    const tree = this.#next()
    if (tree === null) return
    this.#turn++
    if (this.#isRootDue(tree)) return this.#askRoot(tree)
    const [random = 0] = this.deps.randomBytes(1)
    const [wanted] = tree.wanted.splice(random % tree.wanted.length, 1)
    if (wanted !== undefined) await this.#askEntry(tree, wanted)
  }

  /** Round robin over the trees. */
  #next(): Tree | null {
    const count = this.#trees.length
    for (let i = 0; i < count; i++) {
      const tree = this.#trees[(this.#turn + i) % count]
      if (tree !== undefined && (tree.wanted.length > 0 || this.#isRootDue(tree))) return tree
    }
    return null
  }

  #isRootDue({ askedAt }: Tree): boolean {
    return askedAt === null || this.deps.clock.monotonic() - askedAt >= this.times.recheckMs
  }

  async #askRoot(tree: Tree): Promise<void> {
    const { url, domain, key } = tree.address
    tree.askedAt = this.deps.clock.monotonic()
    const texts = await this.#resolve(domain)
    const read = readTreeRoot(texts.find((text) => text.startsWith('enrtree-root:')) ?? '', key)
    if (!read.ok) return this.deps.log.debug('node list not readable', { tree: url, reason: read.error })
    const root = read.value
    // Older roots still have valid signatures: a DNS server could replay them.
    if (tree.root !== null && root.sequence < tree.root.sequence) return
    tree.root = root
    tree.seen.clear()
    tree.wanted = []
    this.#want(tree, root.links, 'link')
    this.#want(tree, root.nodes, 'node')
  }

  async #askEntry(tree: Tree, wanted: Wanted): Promise<void> {
    const { subdomain, leaf, tries } = wanted
    const root = tree.root
    const texts = await this.#resolve(`${subdomain}.${tree.address.domain}`)
    if (this.#tasks.signal.aborted || tree.root !== root) return
    for (const text of texts) {
      const entry = readTreeEntry(text, subdomain)
      if (!entry.ok) continue
      this.#cache.set(subdomain, entry.value)
      this.#take(tree, entry.value, leaf)
      return
    }
    if (tries + 1 < MAX_TRIES) tree.wanted.push({ ...wanted, tries: tries + 1 })
  }

  #take(tree: Tree, entry: TreeEntry, leaf: Wanted['leaf']): void {
    if (entry.kind === 'branch') for (const child of entry.children) this.#want(tree, child, leaf)
    else if (entry.kind !== leaf) return
    else if (entry.kind === 'link') this.#addTree(entry.address)
    else this.events.emit('recordFound', entry.record)
  }

  #want(tree: Tree, subdomain: string, leaf: Wanted['leaf']): void {
    if (tree.seen.has(subdomain) || tree.seen.size >= MAX_ENTRIES_OF_TREE) return
    tree.seen.add(subdomain)
    const cached = this.#cache.use(subdomain)
    if (cached === undefined) tree.wanted.push({ subdomain, leaf, tries: 0 })
    else this.#take(tree, cached, leaf)
  }

  /** Trees link to each other; follow only as many as there is room for. */
  #addTree(address: TreeAddress): void {
    const isKnown = this.#trees.some((tree) => tree.address.url === address.url)
    if (isKnown || this.#trees.length >= MAX_TREES) return
    this.#trees.push({ address, root: null, askedAt: null, wanted: [], seen: new Set() })
  }

  async #resolve(name: string): Promise<readonly string[]> {
    try {
      return await this.deps.resolveTxt(name, this.#tasks.signal)
    } catch (error: unknown) {
      this.deps.log.debug('no answer from DNS', { name, error: messageOf(error) })
      return []
    }
  }
}
