// init, import and export as scripts use them, on prlx's own chains.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { called } from '../../src/cli/testing/called'
import { QUICK_START } from '../quick-start'
import { call, DOOR, IS_BUILT, Program, temporaryFolder } from './program'

const VECTORS = join(import.meta.dirname, '..', 'vectors', 'chain')
const vector = (chain: string, file: string): string => join(VECTORS, chain, file)

const CHAINS = [
  {
    name: 'chain-kinds',
    mode: 'full',
    blocks: 145,
    genesis: '0xdb19ea57d4d6ab3c65d23676d839bff48933e8716c9fa4253345e160bfea2305',
  },
  {
    name: 'chain-small',
    mode: 'test',
    blocks: 130,
    genesis: '0x2290e7df3cb9df86dfc818ecd46f5e6fe1dcac5255f6213d5c1d17a3fc1f1912',
  },
] as const

const folder = temporaryFolder()
afterAll(folder.remove)
const inFolder = (name: string): string => join(folder.path, name)

/** The last line of standard error. */
function lastLine({ stderr }: { readonly stderr: string }): string {
  return stderr.trimEnd().split('\n').at(-1) ?? ''
}

describe.skipIf(!IS_BUILT).each(CHAINS)('the chain $name', ({ name, mode, blocks, genesis }) => {
  const datadir = ['--datadir', inFolder(name)]
  /** The first chain by processes; the second differs in its mode. */
  const how = mode === 'full' ? call : called

  it('is created by init, which prints the genesis hash and can be repeated', async () => {
    const first = await how(['init', vector(name, 'genesis.json'), '--xhash.mode', mode, ...datadir])
    expect(first).toEqual({
      code: 0,
      stdout: `${genesis}\n`,
      stderr: `headframe: custom network ready in ${inFolder(name)}\n`,
    })

    expect(await called(['init', vector(name, 'genesis.json'), ...datadir])).toEqual(first)
  })

  it('is imported with its seals checked, and exported to the same bytes', async () => {
    const imported = await how(['import', vector(name, 'blocks.rlp'), ...datadir])
    expect(imported.code).toBe(0)
    expect(imported.stdout).toMatch(new RegExp(`^imported ${blocks} blocks with .* head ${blocks} 0x`))

    const file = inFolder(`${name}.rlp`)
    const exported = await how(['export', file, '1', String(blocks), ...datadir])
    expect(exported).toMatchObject({ code: 0, stdout: expect.stringContaining('exported blocks') })
    expect(Buffer.compare(readFileSync(file), readFileSync(vector(name, 'blocks.rlp')))).toBe(0)
  })

  it('is recognized when it is imported again, also compressed', async () => {
    const packed = inFolder(`${name}-again.rlp.gz`)
    writeFileSync(packed, gzipSync(readFileSync(vector(name, 'blocks.rlp'))))

    const again = await called(['import', packed, ...datadir])

    expect(again.code).toBe(0)
    expect(again.stdout).toContain(`imported 0 blocks with 0 transactions in`)
    expect(again.stdout).toContain(`${blocks} were known`)
  })

  it('is exported whole with its genesis, replacing a file; a range is appended', async () => {
    const file = inFolder(`${name}-whole.rlp.gz`)
    writeFileSync(file, 'old')

    const whole = await called(['export', file, ...datadir])
    expect(whole.stderr).toContain(`headframe: ${file} exists with 3 bytes and is replaced\n`)
    expect(whole.stdout).toContain(`exported blocks 0 to ${blocks} to ${file} in`)
    const range = await called(['export', file, '2', '3', ...datadir])
    expect(range.stderr).toMatch(/ exists with \d+ bytes and is appended to\n/)

    const bytes = gunzipSync(readFileSync(file))
    const all = readFileSync(vector(name, 'blocks.rlp'))
    expect(bytes.indexOf(all)).toBeGreaterThan(400)
    expect(bytes.length).toBeGreaterThan(bytes.indexOf(all) + all.length)
  })

  it('is found after a killed repair, between its two renames', async () => {
    const chain = join(inFolder(name), 'custom', 'chain')
    renameSync(chain, `${chain}.rebuilt`)

    const exported = await called(['export', inFolder(`${name}-rebuilt.rlp`), '1', '2', ...datadir])
    expect(exported.stdout).toContain('exported blocks 1 to 2')
    expect(exported.stderr).toContain('a killed database repair is finished')
    expect(existsSync(`${chain}.rebuilt`)).toBe(false)
  })

  // How a stream is written doesn't depend on the chain's mode.
  it.skipIf(process.platform === 'win32').each(mode === 'full' ? ['| cat >', '>', '>>'] : ['>'])(
    'is exported to standard output, which gets nothing else: %s',
    (way) => {
      const file = inFolder(`${name}-out.rlp`)
      writeFileSync(file, way === '>>' ? 'before' : '')
      const words = [process.execPath, ...QUICK_START, DOOR, 'export', '/dev/stdout', '1', String(blocks), ...datadir]

      const { status, stderr } = spawnSync('sh', ['-c', `"$@" ${way} ${file}`, 'sh', ...words], { encoding: 'utf8' })

      expect(status).toBe(0)
      expect(stderr).toContain(`headframe: exported blocks 1 to ${blocks} to /dev/stdout in`)
      const all = readFileSync(vector(name, 'blocks.rlp'))
      expect(Buffer.compare(readFileSync(file), way === '>>' ? Buffer.concat([Buffer.from('before'), all]) : all)).toBe(
        0,
      )
    },
  )

  it('switches to the heavier fork when its file is imported', async () => {
    const { finalHead } = JSON.parse(readFileSync(vector(name, 'fork.json'), 'utf8')) as { finalHead: string }

    const forked = await called(['import', vector(name, 'fork.rlp'), ...datadir])

    expect(forked.code).toBe(0)
    expect(forked.stdout).toContain(finalHead)
  })
})

describe.skipIf(!IS_BUILT)("a block command that can't work", () => {
  const datadir = ['--datadir', inFolder('wrong')]
  const small = (...args: string[]): string[] => [...args, ...datadir]

  it('sets up', async () => {
    const genesis = vector('chain-small', 'genesis.json')
    expect((await called(small('init', genesis, '--xhash.mode', 'test'))).code).toBe(0)
    writeFileSync(
      inFolder('london.json'),
      readFileSync(genesis, 'utf8').replace('"berlinBlock": 0', '"berlinBlock": 0, "londonBlock": 0'),
    )
    const blocks = readFileSync(vector('chain-small', 'blocks.rlp'))
    writeFileSync(inFolder('cut.rlp'), blocks.subarray(0, blocks.length - 1))
    writeFileSync(inFolder('text.rlp'), 'no blocks')
    writeFileSync(inFolder('empty.rlp'), '')
    writeFileSync(inFolder('empty.rlp.gz'), gzipSync(''))
    mkdirSync(inFolder('no-chain'), { recursive: true })
  })

  it.each<[string, () => string[], number, RegExp]>([
    [
      'a genesis of other rules',
      () => ['init', inFolder('london.json'), '--datadir', inFolder('new')],
      2,
      /london\.json is not a genesis file: config\.londonBlock: this chain has no such rules; leave it out$/,
    ],
    [
      'another genesis',
      () => small('init', vector('chain-kinds', 'genesis.json')),
      1,
      /the chain in .+ has genesis 0x2290e7.+, wanted 0xdb19ea.+: choose another --datadir$/,
    ],
    [
      'other sizes',
      () => small('import', inFolder('cut.rlp'), '--xhash.mode', 'full'),
      1,
      /was created with --xhash\.mode test, wanted full: leave the option out or choose another --datadir$/,
    ],
    [
      'no genesis at all',
      () => ['init', '--datadir', inFolder('no-chain')],
      2,
      /headframe init needs more words; accepted: GENESIS\.json, or none with --mainnet or --testnet$/,
    ],
    [
      'a practice network that was never run',
      () => ['export', inFolder('x.rlp'), '--datadir', inFolder('no-chain')],
      1,
      /there is no chain of the practice network in .+ yet: run headframe once/,
    ],
    ['no file', () => small('import'), 2, /headframe import needs more words; accepted: FILE\.\.\.$/],
    [
      'a file that is not there',
      () => small('import', inFolder('none.rlp')),
      1,
      /none\.rlp cannot be read: no such file or folder$/,
    ],
    [
      'a file of something else',
      () => small('import', inFolder('text.rlp')),
      1,
      /text\.rlp: no block at byte 0: wanted the start of a block .+, found byte 0x6e$/,
    ],
    [
      'an empty file',
      () => small('import', inFolder('empty.rlp')),
      1,
      /empty\.rlp: no block at byte 0: the file is empty$/,
    ],
    [
      'a compressed file of nothing',
      () => small('import', inFolder('empty.rlp.gz')),
      1,
      /empty\.rlp\.gz: no block at byte 0: the file is empty$/,
    ],
    [
      'a file that is cut',
      () => small('import', inFolder('cut.rlp')),
      1,
      /cut\.rlp: no block at byte \d+: the file ends inside a block: \d+ of \d+ bytes are there$/,
    ],
    [
      'blocks of another chain',
      () => small('import', vector('chain-kinds', 'blocks.rlp')),
      1,
      /blocks\.rlp: block 1 at byte 0 was rejected: unknown ancestor$/,
    ],
    [
      'half a range',
      () => small('export', inFolder('x.rlp'), '3'),
      2,
      /unexpected word 3 after headframe export; accepted: FILE, or FILE FIRST LAST$/,
    ],
    [
      'a range upside down',
      () => small('export', inFolder('x.rlp'), '3', '2'),
      2,
      /FIRST: 3 is not at most LAST, which is 2$/,
    ],
    [
      'a range that is no number',
      () => small('export', inFolder('x.rlp'), 'one', '2'),
      2,
      /FIRST: one is not a block number$/,
    ],
    [
      'a range above the head',
      () => small('export', inFolder('x.rlp'), '0', '900'),
      2,
      /LAST: 900 is not a block of the chain, whose head is 129$/,
    ],
    [
      'a target that cannot be',
      () => small('export', join(inFolder('none'), 'x.rlp')),
      1,
      /x\.rlp cannot be written: no such file or folder/,
    ],
    [
      'no proof of work on the main network',
      () => ['import', inFolder('cut.rlp'), '--mainnet', '--fakepow', '--datadir', inFolder('m')],
      2,
      /--fakepow is refused on main/,
    ],
  ])('%s exits with its code and one line that says why', async (_name, args, code, message) => {
    const outcome = await called(args())

    expect(outcome.code).toBe(code)
    expect(outcome.stdout).toBe('')
    expect(lastLine(outcome)).toMatch(message)
  })

  it('with several files takes the good ones, names the bad one and exits with 1', async () => {
    const args = ['import', inFolder('text.rlp'), vector('chain-small', 'blocks.rlp'), '--datadir', inFolder('wrong')]

    const outcome = await call(args)

    expect(outcome.code).toBe(1)
    expect(outcome.stderr).toContain('text.rlp: no block at byte 0')
    expect(outcome.stdout).toMatch(/imported 1 blocks .+ 129 were known, head 130 /)
  })
})

describe.skipIf(!IS_BUILT)('the known networks without peers', () => {
  it.each([
    ['--mainnet', '0x96b239e015d50f5c3f11b80733e5f38c95882c072719507b7be1a59db4975457'],
    ['--testnet', '0xfc4e2a4f3476e50d58e2bffdf886eecc5398e548ad063222d0addee27dad1a0f'],
  ])('%s can be created and exported', async (flag, hash) => {
    const datadir = ['--datadir', inFolder('known')]
    const file = inFolder(`${flag}.rlp`)

    expect(await called(['init', flag, ...datadir])).toMatchObject({ code: 0, stdout: `${hash}\n` })
    expect(await called(['export', file, flag, ...datadir])).toMatchObject({ code: 0 })
    expect(statSync(file).size).toBeGreaterThan(500)
  })
})

describe.skipIf(!IS_BUILT)('a stopped import', () => {
  it('finishes what it has begun, exits with 1, and the same command takes the rest', async () => {
    const datadir = ['--datadir', inFolder('stopped')]
    const args = ['import', vector('chain-kinds', 'blocks.rlp'), '--genesis', vector('chain-kinds', 'genesis.json')]
    const program = new Program([...args, '--log.level', 'info', ...datadir])
    // The chain is open from this line on.
    await program.says('chain opened')
    const stopped = await program.stop('SIGTERM')
    expect(stopped.code).toBe(1)

    const again = await call([...args, ...datadir])

    expect(again.code).toBe(0)
    expect(again.stdout).toContain(' head 145 0x5142e924ec68ac325216044691de65fab20f1053bb16907daf5047447c716185')
  })
})

describe.skipIf(!IS_BUILT)('a command that a signal ends', () => {
  const [file, datadir] = [inFolder('stopped.rlp'), ['--datadir', inFolder('chain-small')]]
  it.each([
    `export ${file}`,
    `import ${vector('chain-small', 'blocks.rlp')}`,
    'db inspect',
    'db verify',
    'db compact',
    'db repair',
  ])('%s exits with 1: no script takes it for done', async (words) => {
    expect((await called([...words.split(' '), ...datadir], { isStopped: true })).code).toBe(1)
    expect(existsSync(file)).toBe(false)
  })
})

describe.skipIf(!IS_BUILT)('a removed database', () => {
  it('stays removed, whatever a killed repair has left beside it', async () => {
    const datadir = inFolder('removed')
    const args = ['--datadir', datadir]
    await called(['init', vector('chain-small', 'genesis.json'), '--xhash.mode', 'test', ...args])
    const chain = join(datadir, 'custom', 'chain')
    for (const left of ['rebuilt', 'salvage']) cpSync(chain, `${chain}.${left}`, { recursive: true })
    expect((await called(['removedb', '--yes', ...args])).code).toBe(0)
    const after = await called(['db', 'verify', ...args])
    expect(after).toMatchObject({ code: 1, stderr: expect.stringContaining('there is no chain') })
    expect(readdirSync(join(datadir, 'custom')).filter((name) => name.startsWith('chain'))).toEqual([])
  })
})
