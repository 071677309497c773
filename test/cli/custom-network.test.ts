// A node on a user's own network: created once from a genesis file, the same at every later start.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ask } from '../json-rpc'
import { call, IS_BUILT, Program, temporaryFolder } from './program'

const VECTORS = join(import.meta.dirname, '..', 'vectors', 'chain', 'chain-small')
const GENESIS = join(VECTORS, 'genesis.json')

const readySchema = z.object({ network: z.string(), chainId: z.number(), http: z.string(), dashboard: z.null() })

describe.skipIf(!IS_BUILT)('a node on a custom network', () => {
  const folder = temporaryFolder()
  const datadir = join(folder.path, 'data')
  const programs: Program[] = []
  afterEach(async () => {
    await Promise.all(programs.splice(0).map((program) => program.stop('SIGTERM')))
  })
  afterAll(folder.remove)

  async function started(...args: string[]) {
    const words = [
      'node',
      '--datadir',
      datadir,
      '--http',
      '--http.port',
      '0',
      '--maxpeers',
      '0',
      '--ready-file',
      '-',
      ...args,
    ]
    const program = new Program(words)
    programs.push(program)
    while (!program.stdout.includes('\n')) {
      if (program.child.exitCode !== null) throw new Error(program.stderr)
      await new Promise((done) => setTimeout(done, 20))
    }
    return { program, ready: readySchema.parse(JSON.parse(program.stdout)) }
  }

  it('is created by --genesis, with its own ids and sizes', async () => {
    const { ready } = await started('--genesis', GENESIS, '--networkid', '77', '--xhash.mode', 'test')

    expect(ready).toMatchObject({ network: 'custom', chainId: 31021 })
    expect((await ask(`http://${ready.http}/`, 'net_version', [])).result).toBe('77')
    expect((await ask(`http://${ready.http}/`, 'eth_chainId', [])).result).toBe('0x792d')
    expect((await ask(`http://${ready.http}/`, 'eth_blockNumber', [])).result).toBe('0x0')
  })

  it('is the same without any option, with the blocks imported in between, and keeps its data directory to itself', async () => {
    const words = ['import', join(VECTORS, 'blocks.rlp'), '--datadir', datadir]
    expect((await call(words)).code).toBe(0)

    const { program, ready } = await started()

    expect((await ask(`http://${ready.http}/`, 'net_version', [])).result).toBe('77')
    expect((await ask(`http://${ready.http}/`, 'eth_blockNumber', [])).result).toBe('0x82')
    const beside = await call(words)
    expect([beside.code, beside.stderr]).toEqual([
      1,
      `headframe: data directory ${datadir} is in use by process ${program.child.pid}: stop that one or choose another --datadir\n`,
    ])
  })

  it('refuses to start with other sizes or another genesis, and stays unchanged', async () => {
    const refused = (...args: string[]) => call(['node', '--datadir', datadir, '--http.port', '0', ...args])
    const other = ['--genesis', join(VECTORS, '..', 'chain-epoch', 'genesis.json'), '--xhash.mode', 'test']
    const refusals = [await refused('--xhash.mode', 'full'), await refused(...other)]

    expect(refusals.map(({ code, stderr }) => [code, stderr.trimEnd().split('\n').at(-1)])).toEqual([
      [
        1,
        expect.stringMatching(
          /was created with --xhash\.mode test, wanted full: leave the option out or choose another/,
        ),
      ],
      [1, expect.stringMatching(/has genesis 0x2290e7\w+, wanted 0x\w+: choose another --datadir/)],
    ])
    const { ready } = await started()
    expect((await ask(`http://${ready.http}/`, 'eth_blockNumber', [])).result).toBe('0x82')
  })

  it('leaves the practice network in the same data directory alone', async () => {
    const { ready } = await started('--practice', '--mine=false')

    expect(ready).toMatchObject({ network: 'practice', chainId: 1337 })
    expect(existsSync(join(datadir, 'practice', 'chain'))).toBe(true)
  })
})
