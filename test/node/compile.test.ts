// The real Solidity compiler behind its wire: its results for this chain's rules. Skipped if it isn't installed.
import { afterAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { createWireClient } from '../../src/base/wire/client'
import { compileWire, hasSolc, serveCompiler } from '../../src/node/compile/serve-compiler'
import { inThisThread } from './rpc-cases/case-node'

const HEAD = '// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n'

describe.skipIf(!hasSolc(import.meta.dirname))('the solidity compiler', () => {
  const open = inThisThread((transport) =>
    serveCompiler(transport, { searchFrom: import.meta.dirname, log: silentLogger }),
  )
  const client = createWireClient(compileWire, open())
  afterAll(() => client.close())
  const compile = (source: string) => client.call('compile', { source })

  it('gives the last contract of the source, whatever its name', async () => {
    const outcome = await compile(`${HEAD}contract Z {} contract A { function f() public {} }`)

    expect(outcome).toMatchObject({ kind: 'compiled', abi: [{ type: 'function', name: 'f' }] })
  })

  it('generates code for this chain: zero is pushed without PUSH0', async () => {
    const outcome = await compile(`${HEAD}contract A { uint256 public x = 0; }`)

    const code = outcome.kind === 'compiled' ? outcome.code : ''
    expect(code).toMatch(/^0x6080604052/)
    expect(code).toContain('6000') // PUSH1 0; a later rule would make it 5f
    expect(outcome).toMatchObject({ compilerVersion: expect.stringMatching(/^0\.8\.\d+\+commit/) })
  })

  it.each([
    ['contract {', /ParserError/],
    [`${HEAD}import "other.sol"; contract A {}`, /other\.sol/],
    [`${HEAD}library L { function f() public {} } contract A { function g() public { L.f(); } }`, /libraries/],
    [HEAD, /no contract/],
  ])('reports the error in %j', async (source, reason) => {
    expect(await compile(source)).toMatchObject({ kind: 'refused', reason: expect.stringMatching(reason) })
  })
})
