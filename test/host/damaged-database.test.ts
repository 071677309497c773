// A chain database with every kind of file and entry damaged in turn: a start, `verify` and `repair` each end with a
// message, and repair leaves an intact chain. What is beside the database stays unchanged.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { HeadframeError } from '../../src/base/errors'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { resolveConfig } from '../../src/config/resolve'
import { ChainDatabase } from '../../src/host/node/chain-database'
import { networkSpec } from '../../src/host/node/custom-network'
import { readText } from '../../src/host/settings/config-settings'
import { openChain } from '../../src/node/chain/open-chain'
import { openEngine } from '../../src/node/execution/wasm/wasm-engine'
import { decodeBlock } from '../../src/node/model/block'
import { inspectStore } from '../../src/node/store/inspect'
import { openLevelStore } from '../../src/node/store/level-store'
import type { Store } from '../../src/node/store/store'
import { FakeSeals } from '../../src/node/testing/fake-seals'
import { markIndexStart } from '../../src/node/worker/chain-session'
import { memoryFolder } from '../memory-folder'
import { splitBlocks } from '../node/split-blocks'

const ROOT = resolve(import.meta.dirname, '..', '..')
const VECTORS = join(ROOT, 'test', 'vectors', 'chain', 'chain-kinds')
const HEAD = 16
const BESIDE = { nodekey: 'a'.repeat(64), 'transactions.rlp': 'own transactions' }

const work = memoryFolder('headframe-damage-')
const whole = join(work, 'whole')
const damaged = join(work, 'damaged')
const chainOf = (dir: string): string => join(dir, 'custom', 'chain')
const signal = new AbortController().signal
const quiet = { onProgress: () => undefined, signal }

const configOf = (dir: string) =>
  resolveConfig({
    argv: ['db', '--datadir', dir],
    surroundings: { platform: 'linux', environment: {}, homeDir: work, workingDir: work },
    windowless: true,
    readFile: readText,
  })

/** The chain as a start opens it; closed again. @returns its height */
async function start(
  dir: string,
  then: (chain: Awaited<ReturnType<typeof openChain>>) => Promise<void> = async () => undefined,
) {
  const config = configOf(dir)
  const { consensus: params } = networkSpec(config)
  const genesis = config.custom?.genesis ?? null
  const store = await openLevelStore(chainOf(dir))
  try {
    const engine = openEngine(params, ROOT)
    const deps = { store, engine, seals: new FakeSeals(), clock: systemClock(), log: silentLogger }
    const chain = await openChain({ params, genesis, folder: dir, checkSeals: false }, deps)
    await markIndexStart(chain)
    await then(chain)
    await chain.close()
    return Number(chain.head.header.number)
  } finally {
    await store.close()
  }
}

const database = (dir = damaged) => new ChainDatabase(configOf(dir), { projectRoot: ROOT, log: silentLogger })
const verify = () => database().alone(() => database().verify({ ...quiet, seals: false }))

async function changed(change: (store: Store) => Promise<void>): Promise<void> {
  const store = await openLevelStore(chainOf(damaged))
  await change(store)
  await store.close()
}

/** The height after repair; fails if the chain isn't intact then, or something beside it changed. */
async function repaired(): Promise<number> {
  const db = database()
  await db.alone(() => db.repair(quiet))
  const report = await verify()
  expect(report).toMatchObject({ damage: [], faults: 0, complete: true })
  for (const [name, text] of Object.entries(BESIDE))
    expect(readFileSync(join(damaged, 'custom', name), 'utf8')).toBe(text)
  expect(readdirSync(join(damaged, 'custom')).filter((name) => /salvage|rebuilt/.test(name))).toEqual([])
  return start(damaged)
}

beforeAll(async () => {
  mkdirSync(join(whole, 'custom'), { recursive: true })
  const genesis = readFileSync(join(VECTORS, 'genesis.json'), 'utf8')
  writeFileSync(join(whole, 'custom', 'network.json'), JSON.stringify({ genesis, networkId: 2131, xhashMode: 'full' }))
  for (const [name, text] of Object.entries(BESIDE)) writeFileSync(join(whole, 'custom', name), text)
  const blocks = splitBlocks(readFileSync(join(VECTORS, 'blocks.rlp'))).map((bytes) => {
    const block = decodeBlock(bytes)
    if (!block.ok) throw new Error(block.error)
    return block.value
  })
  // Two openings, so that part of it is in a table and part in a log.
  await start(whole, async (chain) => void (await chain.importBlocks(blocks.slice(0, HEAD / 2))))
  await start(whole, async (chain) => void (await chain.importBlocks(blocks.slice(HEAD / 2, HEAD))))
})
beforeEach(() => cpSync(whole, damaged, { recursive: true }))
afterEach(() => rmSync(damaged, { recursive: true, force: true }))
afterAll(() => rmSync(work, { recursive: true }))

function fileOf(pattern: RegExp): string {
  const names = readdirSync(chainOf(damaged)).filter((name) => pattern.test(name))
  const sizes = names.map((name) => readFileSync(join(chainOf(damaged), name)).length)
  const name = names[sizes.indexOf(Math.max(...sizes))]
  if (name === undefined) throw new Error(`no ${pattern}`)
  return join(chainOf(damaged), name)
}

const flip = (at: number) => (file: string) => {
  const bytes = readFileSync(file)
  const place = Math.floor(bytes.length * at)
  bytes[place] = (bytes[place] ?? 0) ^ 0x41
  writeFileSync(file, bytes)
}

describe('a database with a damaged file', () => {
  const KINDS = { table: /\.ldb$/, log: /\d\.log$/, manifest: /^MANIFEST/, current: /^CURRENT$/ }
  const WAYS: Readonly<Record<string, (file: string) => void>> = {
    gone: (file) => rmSync(file),
    empty: (file) => truncateSync(file),
    'with a bit flipped near its start': flip(0.02),
    'with a bit flipped near its end': flip(0.98),
  }
  const cases = Object.entries(KINDS).flatMap(([kind, pattern]) =>
    Object.entries(WAYS).map(([way, damage]) => [kind, way, pattern, damage] as const),
  )

  it.each(cases)('%s %s', async (_kind, _way, pattern, damage) => {
    damage(fileOf(pattern))
    const started = await start(damaged).catch((error: unknown) => {
      expect(error).toBeInstanceOf(HeadframeError)
      expect(error).toMatchObject({
        code: 'STORE_CORRUPT',
        message: expect.stringMatching(/run headframe db repair.* from peers that have it$/),
      })
      return null
    })
    if (started === null) expect((await verify()).faults).toBeGreaterThan(0)
    expect(await repaired()).toBeLessThanOrEqual(HEAD)
  })

  it.each([
    ['lock', /^LOCK$/],
    ['notes', /^LOG$/],
  ])('%s missing makes no difference', async (_kind, pattern) => {
    rmSync(fileOf(pattern))
    expect(await start(damaged)).toBe(HEAD)
    expect((await verify()).faults).toBe(0)
  })

  it('keeps the damaged one, and numbers it', async () => {
    for (const kept of ['chain.damaged', 'chain.damaged-2']) {
      flip(0.5)(fileOf(/\.ldb$/))
      await repaired()
      expect(existsSync(join(damaged, 'custom', kept))).toBe(true)
    }
  })
})

describe('a database with a damaged entry', () => {
  // Entries by the letter of their key; whether repair recovers everything from the rest.
  it.each([
    ['header', 'h', false],
    ['body', 'b', false],
    ['receipts', 'r', true],
    ['difficulty', 'd', true],
    ['index', 'i', true],
    ['transactions', 'x', true],
    ['logs', 'l', true],
    ['state', 'a', true],
    ['state', 's', true],
    ['code', 'c', true],
  ])('of kind %s (%s) is found and repaired', async (kind, letter, isWhole) => {
    const changes = [['missing', null] as const, ['changed', Uint8Array.of(0xc1, 0x07)] as const]
    for (const [way, value] of 'hbra'.includes(letter) ? changes : changes.slice(0, 1)) {
      await changed(async (store) => {
        const keys = await store.keysWithPrefix(Uint8Array.of(letter.charCodeAt(0)))
        // Old code, and code of accounts that are gone, isn't part of the head's state.
        const chosen = letter === 'c' ? keys : [keys[Math.floor(keys.length / 2)]]
        await store.write(chosen.flatMap((key) => (key === undefined ? [] : [[key, value] as const])))
      })
      const report = await verify()
      expect(
        report.damage.map((each) => each.kind),
        way,
      ).toContain(kind)
      const height = await repaired()
      if (isWhole && way === 'missing') expect(height).toBe(HEAD)
      rmSync(damaged, { recursive: true })
      cpSync(whole, damaged, { recursive: true })
    }
  })

  it('of the trie is found, and its nodes are rebuilt', async () => {
    await changed(async (store) => {
      const keys = await store.keysWithPrefix(Uint8Array.of('n'.charCodeAt(0)))
      await store.write(keys.map((key) => [key, Uint8Array.of(1)] as const))
    })
    const report = await verify()
    expect(report.damage.map(({ kind }) => kind)).toContain('nodes')
    expect(report.complete, 'accounts below the damage were not counted').toBe(false)
    expect(await repaired()).toBe(HEAD)
  })

  it('is counted by kind if it is intact', async () => {
    await changed(async (store) => {
      const sizes = await inspectStore(store, () => undefined, signal)
      const of = (name: string) => sizes.find(({ kind }) => kind === name)
      expect(of('headers')?.entries).toBe(HEAD + 1)
      expect(of('transaction index')?.entries).toBeGreaterThan(HEAD)
      expect(of('unknown')).toBeUndefined()
    })
  })
})

describe('the check that the window offers', () => {
  const care = () => database().care(quiet)
  const without = (letter: string) =>
    changed(async (store) => {
      const keys = await store.keysWithPrefix(Uint8Array.of(letter.charCodeAt(0)))
      await store.write(keys.slice(0, 1).map((key) => [key, null] as const))
    })

  it('leaves an intact database alone', async () => {
    expect(await care()).toMatchObject({ kind: 'whole', report: { faults: 0, blocks: HEAD + 1 } })
  })

  it.each(['d', 'i', 'x', 'l'])('rebuilds a damaged index (%s)', async (letter) => {
    await without(letter)
    expect(await care()).toMatchObject({ kind: 'mended' })
    expect((await verify()).faults).toBe(0)
    expect(await start(damaged)).toBe(HEAD)
  })

  it.each(['h', 'b', 'a'])('reports damage that no index can repair (%s), and changes nothing', async (letter) => {
    await without(letter)
    const before = await verify()
    expect(await care()).toMatchObject({ kind: 'damaged', report: { damage: before.damage } })
    expect(await verify()).toEqual(before)
  })

  it('reports a damaged file', async () => {
    flip(0.5)(fileOf(/\.ldb$/))
    const { kind, report } = await care()
    expect(kind).toBe('damaged')
    expect(report.damage[0]).toMatchObject({ kind: 'files' })
    expect(report, 'nothing else was read').toMatchObject({ complete: false, blocks: 0 })
  })
})

describe('a repair', () => {
  it('that is stopped while it rebuilds the indexes is not called done', async () => {
    await changed(async (store) => {
      const keys = await store.keysWithPrefix(Uint8Array.of('x'.charCodeAt(0)))
      await store.write(keys.map((key) => [key, null] as const))
    })
    const stop = new AbortController()
    const onProgress = ({ stage }: { readonly stage: string }): void => {
      if (stage === 'indexes') stop.abort()
    }
    const db = database()
    expect(await db.alone(() => db.repair({ signal: stop.signal, onProgress }))).toEqual({ kind: 'stopped' })
    expect((await verify()).faults).toBeGreaterThan(0)
    expect(await repaired()).toBe(HEAD)
  })

  it('that is stopped leaves the database unchanged', async () => {
    flip(0.5)(fileOf(/\.ldb$/))
    const before = readdirSync(chainOf(damaged)).map((name) =>
      readFileSync(join(chainOf(damaged), name)).toString('hex'),
    )
    const stop = new AbortController()
    const db = database()
    const done = await db.alone(() =>
      db.repair({
        signal: stop.signal,
        onProgress: ({ stage }) => {
          if (stage === 'copy') stop.abort()
        },
      }),
    )
    expect(done).toEqual({ kind: 'stopped' })
    const after = readdirSync(chainOf(damaged)).map((name) =>
      readFileSync(join(chainOf(damaged), name)).toString('hex'),
    )
    expect(after).toEqual(before)
    expect(readdirSync(join(damaged, 'custom')).sort()).toEqual(
      ['chain', 'network.json', ...Object.keys(BESIDE)].sort(),
    )
  })

  it('is refused while another program uses the data directory, and without a chain', async () => {
    const [first, second] = [database(), database()]
    await first.alone(async () => {
      await expect(second.alone(() => second.repair(quiet))).rejects.toMatchObject({ code: 'HOST_DATA_DIR_IN_USE' })
    })
    rmSync(chainOf(damaged), { recursive: true })
    await expect(first.alone(() => first.repair(quiet))).rejects.toMatchObject({ code: 'HOST_NO_CHAIN' })
  })

  it('killed before its last step is finished by the next', async () => {
    cpSync(chainOf(damaged), `${chainOf(damaged)}.rebuilt`, { recursive: true })
    rmSync(chainOf(damaged), { recursive: true })
    expect(await repaired()).toBe(HEAD)
  })

  it('killed before its last step is finished by a start, too', async () => {
    renameSync(chainOf(damaged), `${chainOf(damaged)}.rebuilt`)
    expect(await start(damaged)).toBe(HEAD)
  })
})
