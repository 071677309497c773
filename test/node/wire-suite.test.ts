// prlx's own suites for the chain protocol and for states, against our node. Needs devp2p in PEER_PROGRAMS (a
// folder).
import { execFile } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { joinBytes } from '../../src/base/bytes'
import { bytesOfHex } from '../../src/base/hex'
import { TestWallet } from '../../src/node/testing/test-wallet'
import { MADE_CHAIN_ID, madeBlocks, madeGenesis } from './made-blocks'
import { meetingNode, PEER } from './p2p-nodes'
import { newFolder } from './practice-node'
import { splitBlocks } from './split-blocks'

const SUITE = join(dirname(PEER), 'devp2p')
const HAS_SUITE = existsSync(SUITE)
const NETWORK = Number(MADE_CHAIN_ID)
const LONG_MS = 1_800_000
/** The suite signs with this key, starting at nonce 100. */
const faucet = new TestWallet(bytesOfHex('0xb71c71a67e1177ad4e901695e1b4b9ee17ae16c6668d313eac2f96dbcda3f291'))
/** The cases for versions 64 and 65 of the protocol, which no node speaks, are left out; this one of them works on 66 too. */
const WIRE_CASES = '66$|TestMaliciousHandshake65'

/** Its output, whatever its exit status. */
function run(args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(SUITE, [...args], { timeout: LONG_MS }, (_error, stdout, stderr) => resolve(stdout + stderr))
  })
}

/** 999 blocks with 100 payments among them; then 20 without any, which the suite pushes; then some with payments. */
async function suiteChain() {
  const paidEvery = (number: number): boolean =>
    number < 990 ? number % (number < 100 ? 9 : 10) === 0 : number >= 1_020
  const whole = await madeBlocks({ count: 1_024, tag: 1, paidEvery, payer: faucet })
  return { known: joinBytes(splitBlocks(whole).slice(0, 999)), whole }
}

const linesOf = (said: string, start: string): readonly string[] =>
  said.split('\n').filter((line) => line.startsWith(start))

describe.skipIf(!HAS_SUITE)(`the wire suite of prlx${HAS_SUITE ? '' : ' (skipped: it is not there)'}`, () => {
  const folder = newFolder()
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it('passes in all cases of the supported version', { timeout: LONG_MS }, async () => {
    const genesis = madeGenesis('0x01', faucet)
    const { known, whole } = await suiteChain()
    const [chainFile, genesisFile] = [join(folder, 'chain.rlp'), join(folder, 'genesis.json')]
    writeFileSync(chainFile, whole)
    writeFileSync(genesisFile, genesis)
    const { node, enode } = await meetingNode({
      folder: join(folder, 'node'),
      key: 4,
      genesis,
      networkId: NETWORK,
      xhashMode: 'test',
    })
    await node.importBlocks(known)
    expect(node.head()?.number).toBe(999)

    const states = await run(['rlpx', 'snap-test', '--tap', '--run', 'TestSnapStatus', enode, chainFile, genesisFile])
    const said = await run(['rlpx', 'parallax-test', '--tap', '--run', WIRE_CASES, enode, chainFile, genesisFile])
    await node.stop()

    expect(linesOf(said, 'not ok'), said).toEqual([])
    expect(linesOf(said, 'ok')).toHaveLength(17)
    // Its other cases for states name accounts and hashes of an Ethereum chain: only the handshake can pass elsewhere.
    expect(linesOf(states, 'ok')).toHaveLength(1)
  })
})
