// Our own node record, signed again with a higher sequence whenever the address, a port or the fork id changes.
import { equalBytes } from '../../../base/bytes'
import { decodeRlp, type RlpItem } from '../../codec/rlp'
import { type NodeRecord, type RecordContent, recordText, signRecord } from '../../identity/enr'
import { formatIp } from '../../identity/ip-address'
import type { ForkId } from '../../protocol/fork-id'
import type { NodeAddress } from '../node-address'

/** Our record (EIP-778), signed with the next sequence at each change. */
export class LocalRecord {
  #content: RecordContent = { host: null, tcpPort: 0, udpPort: 0, forkId: null }
  #record: NodeRecord

  /** @param key 32 bytes @param firstSequence above every earlier one: UTC ms at startup works */
  constructor(
    private readonly key: Uint8Array,
    firstSequence: bigint,
  ) {
    this.#record = signRecord(key, firstSequence, this.#content)
  }

  get record(): NodeRecord {
    return this.#record
  }

  get sequence(): bigint {
    return this.#record.sequence
  }

  /** Our public key, 64 bytes. */
  get id(): Uint8Array {
    return this.#record.publicKey
  }

  /** As an item inside a message. */
  items(): readonly RlpItem[] {
    const decoded = decodeRlp(this.#record.rlp)
    return decoded.ok && !(decoded.value instanceof Uint8Array) ? decoded.value : []
  }

  /** `enr:` text. */
  get text(): string {
    return recordText(this.#record)
  }

  get content(): RecordContent {
    return this.#content
  }

  /** Changes the given fields; does nothing when they are unchanged. */
  update(change: Partial<RecordContent>): void {
    const next = { ...this.#content, ...change }
    if (sameContent(next, this.#content)) return
    this.#content = next
    this.#record = signRecord(this.key, this.#record.sequence + 1n, next)
  }

  /** How others dial us; `fallback` (a literal) while no address is known. */
  address(fallback: string): NodeAddress {
    const { host, tcpPort, udpPort } = this.#content
    return { id: this.id, host: host === null ? fallback : formatIp(host), tcpPort, udpPort }
  }
}

function sameContent(a: RecordContent, b: RecordContent): boolean {
  const sameHost = a.host === null || b.host === null ? a.host === b.host : equalBytes(a.host, b.host)
  return sameHost && a.tcpPort === b.tcpPort && a.udpPort === b.udpPort && sameFork(a.forkId, b.forkId)
}

function sameFork(a: ForkId | null, b: ForkId | null): boolean {
  if (a === null || b === null) return a === b
  return a.next === b.next && equalBytes(a.hash, b.hash)
}
