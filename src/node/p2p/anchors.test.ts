import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { AnchorFile, anchorsAmong, readNodeLists } from './node-db'

function peer(tag: number, host: string, change: { direction?: 'inbound'; isStatic?: true; proven?: null } = {}) {
  const direction: 'inbound' | 'outbound' = change.direction ?? 'outbound'
  const isStatic = change.isStatic ?? false
  const proven = change.proven === null ? null : { number: 1n, hash: new Uint8Array(32), total: 1n }
  const info = { direction, host, port: 30_000 + tag, trusted: false, isStatic } as const
  const region = host.split('.').slice(0, 2).join('.')
  return { info, id: new Uint8Array(64).fill(tag), proven, region, joinedAt: tag }
}

it('are the two oldest that we dialed and that gave verified blocks, in different networks', () => {
  const peers = [
    peer(9, '9.9.0.1'),
    peer(1, '1.1.0.1', { direction: 'inbound' }),
    peer(2, '2.2.0.1', { proven: null }),
    peer(3, '3.3.0.1', { isStatic: true }),
    peer(4, '4.4.0.1'),
    peer(5, '4.4.7.7'),
    peer(8, '8.8.0.1'),
  ]
  expect(anchorsAmong(peers).map(({ host }) => host)).toEqual(['4.4.0.1', '8.8.0.1'])
})

it('are read again after a restart, and are kept if no peer was met', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-anchors-'))
  try {
    const file = new AnchorFile(join(folder, 'anchors.json'), silentLogger)
    file.keep(anchorsAmong([peer(4, '4.4.0.1')]))
    file.keep([])
    const { anchors } = await readNodeLists(folder, silentLogger)
    expect(anchors).toEqual([{ id: new Uint8Array(64).fill(4), host: '4.4.0.1', tcpPort: 30_004, udpPort: 30_004 }])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
