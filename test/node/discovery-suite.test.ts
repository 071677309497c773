// go-ethereum's suite for discovery v4, against our node. The test set-up builds its program if Go is there.
import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { peerProgram } from '../peer-programs'
import { madeGenesis } from './made-blocks'
import { meetingNode } from './p2p-nodes'
import { newFolder } from './practice-node'

const SUITE = peerProgram('devp2p') ?? 'devp2p'
const HAS_SUITE = peerProgram('devp2p') !== null
const NETWORK = 4713
const LONG_MS = 1_800_000

/** Its output, whatever its exit status. */
function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(SUITE, [...args], { timeout: LONG_MS }, (_error, stdout, stderr) => resolve(stdout + stderr))
  })
}

describe.skipIf(!HAS_SUITE)(`the discovery suite of prlx${HAS_SUITE ? '' : ' (skipped: it is not there)'}`, () => {
  const folder = newFolder()
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('passes completely', { timeout: LONG_MS }, async () => {
    const key = new Uint8Array(32).fill(3)
    const { node, p2p } = await meetingNode({
      folder: join(folder, 'node'),
      key: 3,
      genesis: madeGenesis(),
      networkId: NETWORK,
      xhashMode: 'test',
      changes: {
        p2p: {
          listen: { host: '127.0.0.1', port: 0 },
          maxPeers: 25,
          nodeKey: key,
          nodeKeyFile: null,
          discovery: {
            bootnodes: [],
            noDiscover: false,
            dnsTrees: [],
            netRestrict: [],
            nat: { kind: 'none', host: null },
          },
        },
      },
    })
    const enode = p2p.identity()?.enode ?? ''
    const said = await run([
      'discv4',
      'test',
      '--tap',
      '--remote',
      enode,
      '--listen1',
      '127.0.0.1',
      '--listen2',
      '127.0.0.2',
    ])
    await node.stop()

    expect(said.split('\n').filter((line) => line.startsWith('not ok'))).toEqual([])
    expect(said.split('\n').filter((line) => line.startsWith('ok')).length).toBe(14)
  })
})
