// Two peers to dial first after a restart, so that an attacker who has filled the node lists meanwhile can't choose all
// our peers.
import { messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import { replaceOwnerFile } from '../../../files/owner-file'
import { formatEnode, type NodeAddress } from '../node-address'
import type { Peer } from './peer'

const MAX_ANCHORS = 2

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
