// Every case of test/vectors/rpc against the real server: recorded answers of prlx, with the intended
// differences. Runs in order of the names: the later phases change the pool, the miner and the head.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasSolc } from '../../src/node/compile/serve-compiler'
import { parseCase } from './rpc-cases/case-file'
import { CaseNode, VECTORS } from './rpc-cases/case-node'
import { runCase, type Server } from './rpc-cases/run-case'

const CASES = join(VECTORS, 'cases')
const HAVE = new Set(['accounts', 'mining', 'ws', 'import', 'admin', 'miner', 'extra', 'profile-product', 'jstracer'])
if (hasSolc(import.meta.dirname)) HAVE.add('solidity').add('solc')

const files = readdirSync(CASES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.io'))
  .sort()
const cases = files.map((name) => ({ name, file: parseCase(readFileSync(join(CASES, name), 'utf8')) }))
const wanted = cases.filter(({ file }) => file.needs.every((need) => HAVE.has(need)))

describe('the RPC conformance cases', () => {
  const server = new CaseNode()
  let addresses: Server
  beforeAll(async () => {
    await server.start()
    const [http, ws] = [server.node.rpcAddress(), server.node.rpcWsAddress()]
    addresses = {
      http: `http://${http?.host}:${http?.port}/`,
      ws: `ws://${ws?.host}:${ws?.port}/`,
      vectors: VECTORS,
    }
  })
  afterAll(() => server.stop())

  it.each(wanted)('$name', async ({ file }) => {
    expect(await runCase(file, addresses)).toBeNull()
  })

  it('are all there', () => {
    expect(files.length).toBe(655)
    expect(wanted.length).toBeGreaterThan(600)
  })
})
