// An import whose process is killed at random moments, judged by what it has written: whatever it leaves opens,
// can be continued, and ends with the same chain.
import { randomInt } from 'node:crypto'
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { joinBytes } from '../../src/base/bytes'
import { toHex } from '../../src/base/hex'
import { placesFault } from '../../src/node/testing/test-places'
import { closeSession } from '../../src/node/worker/chain-session'
import { importBytes } from '../../src/node/worker/import-bytes'
import { IS_BUILT, Program } from '../cli/program'
import { byDepth } from '../depth'
import { expectedState, flatState, type StateFile } from './flat-state'
import { readBlocks, readJson, readVector } from './vector-chain'
import { newDataDir, openVectorSession } from './vector-session'

const NAME = 'chain-small'
const KILLS = byDepth(6, 50)
const AT_ONCE = 2
const VECTORS = join(import.meta.dirname, '..', 'vectors', 'chain', NAME)
const BLOCKS = readVector(`${NAME}/blocks.rlp`)
const PIECES = readBlocks(`${NAME}/blocks.rlp`)
const HEIGHT = PIECES.length
/** Each file is one write to the database, so that a run has many batches to be killed between and within. */
const BLOCKS_A_FILE = 10

/** mulberry32: a run can be repeated with its seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** The chain in files of a few blocks each. @returns their paths, in order */
function writeFiles(folder: string): readonly string[] {
  const files: string[] = []
  for (let from = 0; from < HEIGHT; from += BLOCKS_A_FILE) {
    const file = join(folder, `${files.length}.rlp`)
    writeFileSync(file, joinBytes(PIECES.slice(from, from + BLOCKS_A_FILE)))
    files.push(file)
  }
  return files
}

function startImport(datadir: string, files: readonly string[]): Program {
  const genesis = join(VECTORS, 'genesis.json')
  const how = ['--genesis', genesis, '--xhash.mode', 'test']
  return new Program(['import', ...files, ...how, '--datadir', datadir])
}

/** Bytes of the database's logs: they contain every write of such a short run. */
function bytesWritten(datadir: string): number {
  try {
    const folder = join(datadir, 'custom', 'chain')
    const logs = readdirSync(folder).filter((name) => name.endsWith('.log'))
    return logs.reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
  } catch {
    return 0 // not created yet, or replaced at this moment
  }
}

/**
 * @param from bytes of the logs at which it is killed; null = it runs to its end @returns bytes of the logs that it
 * leaves
 */
async function runImport(program: Program, datadir: string, from: number | null): Promise<number> {
  const isUnder = (): boolean => from === null || bytesWritten(datadir) < from
  while (isUnder() && program.child.exitCode === null) await new Promise((done) => setTimeout(done, 1))
  if (from !== null) program.child.kill('SIGKILL')
  const { code, stderr } = await program.ended
  if (from === null && code !== 0) throw new Error(stderr)
  return bytesWritten(datadir)
}

/** Opens what is there, imports the rest of the file, verifies all of it. @returns the height that was found */
async function finish(datadir: string): Promise<number> {
  const folder = join(datadir, 'custom', 'chain')
  const session = await openVectorSession({ name: NAME, folder, xhashMode: 'test' })
  try {
    const found = Number(session.chain.head.header.number)
    const report = await importBytes(session.chain, BLOCKS)
    expect(report).toMatchObject({ refused: null, added: HEIGHT - found, known: found, head: { number: HEIGHT } })
    const dump = readJson<StateFile & { readonly stateRoot: string }>(`${NAME}/state.json`)
    expect(toHex(session.chain.head.header.stateRoot)).toBe(dump.stateRoot)
    expect(await flatState(session.chain)).toEqual(expectedState(dump))
    expect(await placesFault(session.chain.store, session.chain.head.header.stateRoot)).toBeNull()
    return found
  } finally {
    await closeSession(session)
  }
}

describe.skipIf(!IS_BUILT)('a killed import', () => {
  it(`at ${KILLS} random moments leaves a chain that opens and is finished with the same state`, async () => {
    const seed = randomInt(2 ** 31)
    console.info(`seed of the moments: ${seed}`)
    const random = randomOf(seed)
    const found: number[] = []
    const inFolder = async (body: (datadir: string) => Promise<void>): Promise<void> => {
      const datadir = newDataDir()
      try {
        await body(datadir)
      } finally {
        rmSync(datadir, { recursive: true, force: true })
      }
    }
    const folder = newDataDir()
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const files = writeFiles(folder)
    let whole = 0
    await inFolder(async (datadir) => {
      whole = await runImport(startImport(datadir, files), datadir, null)
      expect(await finish(datadir)).toBe(HEIGHT)
    })
    const state = { left: KILLS }
    const worker = async (): Promise<void> => {
      while (state.left-- > 0) {
        // One moment in each part of the import, so that few moments are spread over all of it.
        const moment = (whole * (state.left + random())) / KILLS
        await inFolder(async (datadir) => {
          await runImport(startImport(datadir, files), datadir, moment)
          found.push(await finish(datadir))
        })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))

    console.info(`heights found: ${[...found].sort((a, b) => a - b).join(' ')}`)
    expect(found).toHaveLength(KILLS)
    const between = new Set(found.filter((height) => height > 0 && height < HEIGHT))
    expect(between.size).toBeGreaterThan(1)
  })
})
