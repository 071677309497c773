// An import whose process is killed at random moments: whatever it leaves opens, goes on, and ends where it would have ended.
import { randomInt } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/base/hex'
import { closeSession } from '../../src/node/worker/chain-session'
import { importBytes } from '../../src/node/worker/import-bytes'
import { IS_BUILT, Program } from '../cli/program'
import { expectedState, flatState, type StateFile } from './flat-state'
import { readBlocks, readJson, readVector } from './vector-chain'
import { newDataDir, openVectorSession } from './vector-session'

const NAME = 'chain-small'
const KILLS = 50
const AT_ONCE = 2
const VECTORS = join(import.meta.dirname, '..', 'vectors', 'chain', NAME)
const BLOCKS = readVector(`${NAME}/blocks.rlp`)
const HEIGHT = readBlocks(`${NAME}/blocks.rlp`).length

/** mulberry32: a run can be repeated from its seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

function startImport(datadir: string): Program {
  const blocks = join(VECTORS, 'blocks.rlp')
  const genesis = join(VECTORS, 'genesis.json')
  return new Program(['import', blocks, '--genesis', genesis, '--xhash.mode', 'test', '--datadir', datadir])
}

/**
 * Moments count from when the database is there: how long a program takes to start says nothing here.
 * @param afterMs null = it runs to its end @returns milliseconds that it lived from then on
 */
async function runImport(datadir: string, afterMs: number | null): Promise<number> {
  const program = startImport(datadir)
  const made = join(datadir, 'custom', 'chain', 'CURRENT')
  while (!existsSync(made) && program.child.exitCode === null) await new Promise((done) => setTimeout(done, 3))
  const startedAt = performance.now()
  const timer = afterMs === null ? null : setTimeout(() => program.child.kill('SIGKILL'), afterMs)
  const { code, stderr } = await program.ended
  if (timer !== null) clearTimeout(timer)
  if (afterMs === null && code !== 0) throw new Error(stderr)
  return performance.now() - startedAt
}

/** Opens what is there, takes the rest of the file, looks at all of it. @returns the height that was found */
async function finish(datadir: string): Promise<number> {
  const session = await openVectorSession({ name: NAME, folder: join(datadir, 'custom', 'chain'), xhashMode: 'test' })
  try {
    const found = Number(session.chain.head.header.number)
    const report = await importBytes(session.chain, BLOCKS)
    expect(report).toMatchObject({ refused: null, added: HEIGHT - found, known: found, head: { number: HEIGHT } })
    const dump = readJson<StateFile & { readonly stateRoot: string }>(`${NAME}/state.json`)
    expect(toHex(session.chain.head.header.stateRoot)).toBe(dump.stateRoot)
    expect(await flatState(session.chain)).toEqual(expectedState(dump))
    return found
  } finally {
    await closeSession(session)
  }
}

describe.skipIf(!IS_BUILT)('an import that is killed', () => {
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
    const state = { wholeMs: 0, left: KILLS }
    // As many at once as later, so that the time is the same.
    const whole = async (): Promise<void> =>
      inFolder(async (datadir) => {
        state.wholeMs = await runImport(datadir, null)
        expect(await finish(datadir)).toBe(HEIGHT)
      })
    await Promise.all(Array.from({ length: AT_ONCE }, whole))
    const worker = async (): Promise<void> => {
      while (state.left-- > 0) {
        const moment = state.wholeMs * random()
        await inFolder(async (datadir) => {
          await runImport(datadir, moment)
          found.push(await finish(datadir))
        })
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))

    console.info(`heights found: ${[...found].sort((a, b) => a - b).join(' ')}`)
    expect(found).toHaveLength(KILLS)
    const between = found.filter((height) => height > 0 && height < HEIGHT)
    expect(between.length).toBeGreaterThan(0)
  })
})
