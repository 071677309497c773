// Recently live nodes in a small file, so that a restart finds the network without the bootnodes.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isSystemCode, messageOf } from '../../base/errors'
import { BoundedMap } from '../../base/limits/bounded-map'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { KeptJson } from '../../files/json-file'
import { replaceOwnerFile } from '../../files/owner-file'
import { canonicalIp, region } from '../identity/ip-address'
import { formatEnode, type NodeAddress, nodeName, parseEnode } from './node-address'
import type { Peer } from './peer/peer'

export interface NodeLists {
  readonly fixed: readonly NodeAddress[]
  readonly trusted: readonly NodeAddress[]
  /** Good peers of the last run: who filled the node lists meanwhile must not choose all our peers. */
  readonly anchors: readonly NodeAddress[]
}

export const ANCHORS_FILE = 'anchors.json'
const MAX_ANCHORS = 2
const LIST = z.array(z.unknown())
const MAX_BYTES = 1_000_000

/** A missing file gives no nodes; an unreadable one is logged and skipped. @param folder of the network */
export async function readNodeLists(folder: string, log: Logger): Promise<NodeLists> {
  return {
    fixed: await readList(join(folder, 'static-nodes.json'), log),
    trusted: await readList(join(folder, 'trusted-nodes.json'), log),
    anchors: (await readList(join(folder, ANCHORS_FILE), log)).slice(0, MAX_ANCHORS),
  }
}

async function readList(file: string, log: Logger): Promise<readonly NodeAddress[]> {
  let entries: readonly unknown[]
  try {
    const text = await readFile(file, 'utf8')
    if (text.length > MAX_BYTES) throw new RangeError(`${text.length} characters, want at most ${MAX_BYTES}`)
    entries = LIST.parse(JSON.parse(text))
  } catch (error: unknown) {
    if (!isSystemCode(error, 'ENOENT'))
      log.warn('node list skipped: want a JSON array of enode URLs', { file, error: messageOf(error) })
    return []
  }
  return entries.flatMap((entry) => {
    const url = typeof entry === 'string' ? entry : JSON.stringify(entry)
    const address = parseEnode(url)
    if (address.ok) return [address.value]
    log.warn('invalid node in a list skipped', { file, url: url.slice(0, 200), reason: address.error })
    return []
  })
}

/** The longest-lived outbound peers that delivered verified blocks, from different wide neighborhoods. */
export function anchorsAmong(
  peers: readonly Pick<Peer, 'info' | 'id' | 'proven' | 'region' | 'joinedAt'>[],
): readonly NodeAddress[] {
  const regions = new Set<string>()
  const anchors: NodeAddress[] = []
  for (const { info, id, proven, region } of [...peers].sort((a, b) => a.joinedAt - b.joinedAt)) {
    const isTaken = region !== null && regions.has(region)
    if (info.direction !== 'outbound' || info.isStatic || proven === null || isTaken) continue
    if (region !== null) regions.add(region)
    anchors.push({ id, host: info.host, tcpPort: info.port, udpPort: info.port })
    if (anchors.length === MAX_ANCHORS) break
  }
  return anchors
}

/** The file of anchors, a JSON array of enode URLs. */
export class AnchorFile {
  #written = ''

  /** @param file absolute path; its folder must exist. Null = not persisted */
  constructor(
    private readonly file: string | null,
    private readonly log: Logger,
  ) {}

  /** Without any good peer, the previous anchors stay. */
  keep(anchors: readonly NodeAddress[]): void {
    const text = JSON.stringify(anchors.map(formatEnode))
    if (this.file === null || anchors.length === 0 || text === this.#written) return
    try {
      replaceOwnerFile(this.file, text)
      this.#written = text
    } catch (error: unknown) {
      this.log.warn('anchors not written', { file: this.file, error: messageOf(error) })
    }
  }
}

/** Older ones have most likely moved. Source: go-ethereum p2p/discover/table.go (seedMaxAge) */
const SEED_AGE_MS = 5 * 24 * 3_600_000
const MAX_NODES = 512

const FILE = z.object({
  format: z.literal(1),
  nodes: z.array(z.object({ enode: z.string().max(512), seenAt: z.number().int().nonnegative() })).max(10_000),
})

/** A missing or corrupt file gives an empty database, never an error. */
export class NodeDb {
  readonly #nodes = new BoundedMap<string, { readonly address: NodeAddress; readonly seenAt: number }>(MAX_NODES)
  readonly #kept: KeptJson<z.infer<typeof FILE>> | null
  #isChanged = false
  #saving: Promise<void> = Promise.resolve()

  /** @param file null = not persisted */
  constructor(
    private readonly file: string | null,
    private readonly deps: { readonly clock: Clock; readonly log: Logger },
  ) {
    this.#kept = file === null ? null : new KeptJson(file, FILE, deps)
  }

  get size(): number {
    return this.#nodes.size
  }

  async load(): Promise<void> {
    for (const { enode, seenAt } of (await this.#kept?.load())?.nodes ?? []) {
      const address = parseEnode(enode)
      if (address.ok && canonicalIp(address.value.host) !== null) this.#put(address.value, seenAt)
    }
  }

  note(address: NodeAddress): void {
    this.#put(address, this.deps.clock.now())
    this.#isChanged = true
  }

  forget(name: string): void {
    if (this.#nodes.delete(name)) this.#isChanged = true
  }

  /** Nodes to start from: round robin over wide neighborhoods, most recently seen first in each. */
  seeds(count: number): readonly NodeAddress[] {
    const oldest = this.deps.clock.now() - SEED_AGE_MS
    const latest = [...this.#nodes.values()]
      .filter(({ seenAt }) => seenAt >= oldest)
      .reverse() // inserted last, seen last, when timestamps are equal
      .sort((a, b) => b.seenAt - a.seenAt)
    const turns = new Map<string, number>()
    const placed = latest.map(({ address }) => {
      const place = region(address.host)
      const turn = place === null ? 0 : (turns.get(place) ?? 0)
      if (place !== null) turns.set(place, turn + 1)
      return { address, turn }
    })
    return placed
      .sort((a, b) => a.turn - b.turn)
      .slice(0, count)
      .map(({ address }) => address)
  }

  /** Writes the file if anything changed. Resolves when all earlier saves have ended, too. */
  save(): Promise<void> {
    this.#saving = this.#saving.then(() => this.#write())
    return this.#saving
  }

  async #write(): Promise<void> {
    if (this.#kept === null || !this.#isChanged) return
    this.#isChanged = false
    const nodes = [...this.#nodes.values()].map(({ address, seenAt }) => ({ enode: formatEnode(address), seenAt }))
    try {
      await this.#kept.save({ format: 1, nodes })
    } catch (error: unknown) {
      this.#isChanged = true
      this.deps.log.warn('node database not written', { file: this.file, error: messageOf(error) })
    }
  }

  #put(address: NodeAddress, seenAt: number): void {
    this.#nodes.set(nodeName(address.id), { address, seenAt })
  }
}
