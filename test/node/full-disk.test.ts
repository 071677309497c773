// An import on a disk that fills up: it stops cleanly with an intact store, and finishes once there is space. The disk
// is a small one in memory, which only root may mount.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { createXhashEngine } from '../../src/native/xhash-engine'
import { openChain } from '../../src/node/chain/open-chain'
import { keccak256 } from '../../src/node/codec/keccak'
import { decodeBlock } from '../../src/node/model/block'
import { networkOf } from '../../src/node/networks'
import { openLevelStore } from '../../src/node/store/level-store'
import type { Store } from '../../src/node/store/store'
import { placesFault } from '../../src/node/testing/test-places'
import { closeSession } from '../../src/node/worker/chain-session'
import { importBytes } from '../../src/node/worker/import-bytes'
import { call, IS_BUILT } from '../cli/program'
import { byDepth } from '../depth'
import { expectedState, flatState, type StateFile } from './flat-state'
import { createTypescriptEngine } from './oracle/engine/typescript-engine'
import { readBlocks, readJson, readVector } from './vector-chain'
import { newDataDir, openVectorSession } from './vector-session'

const NAME = 'chain-kinds'
const VECTORS = join(import.meta.dirname, '..', 'vectors', 'chain', NAME)
const HEIGHT = readBlocks(`${NAME}/blocks.rlp`).length
const MIB = 1024 * 1024
const KIB = 1024
/** The database of this chain takes twice the largest. */
const SMALL_DISKS_KIB = byDepth(
  [400],
  Array.from({ length: 20 }, (_, index) => 100 + 20 * index),
)

/** Why no disk can be created here; null if it can. */
function whyNoDisk(): string | null {
  if (process.platform !== 'linux') return 'only Linux has tmpfs'
  if (process.getuid?.() !== 0) return 'only root may mount'
  const folder = newDataDir()
  try {
    mount(folder, MIB)
    execFileSync('umount', [folder])
    return null
  } catch {
    return 'mounting is not allowed here'
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function mount(folder: string, bytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], { stdio: 'ignore' })
}

function enlarge(folder: string, bytes: number): void {
  execFileSync('mount', ['-o', `remount,size=${bytes}`, folder], { stdio: 'ignore' })
}

const reason = whyNoDisk()

describe.skipIf(reason !== null)(`a disk filling up${reason === null ? '' : ` (skipped: ${reason})`}`, () => {
  const disks: string[] = []
  afterEach(() => {
    for (const folder of disks.splice(0)) {
      execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    }
  })
  const newDisk = (bytes: number): string => {
    const folder = newDataDir()
    mount(folder, bytes)
    disks.push(folder)
    return folder
  }
  const expectWhole = async (chain: Parameters<typeof flatState>[0]): Promise<void> => {
    const dump = readJson<StateFile>(`${NAME}/state.json`)
    expect(Number(chain.head.header.number)).toBe(HEIGHT)
    expect(await flatState(chain)).toEqual(expectedState(dump))
    expect(await placesFault(chain.store, chain.head.header.stateRoot)).toBeNull()
  }

  it.skipIf(!IS_BUILT)(
    'stops headframe import with 1 before it is full; with space, the same command continues',
    async () => {
      // The store keeps 512 MiB free, whatever the size of the disk.
      const disk = newDisk(512 * MIB + MIB)
      const datadir = join(disk, 'data')
      const args = ['import', join(VECTORS, 'blocks.rlp'), '--datadir', datadir, '--fakepow']
      const genesis = ['--genesis', join(VECTORS, 'genesis.json')]

      const full = await call([...args, ...genesis])

      expect(full.code).toBe(1)
      expect(full.stderr.trimEnd().split('\n').at(-1)).toMatch(
        /^headframe: the disk of .+ is nearly full \(\d+ MB free, \d+ MB needed\): no blocks are imported until there is space$/,
      )
      enlarge(disk, 600 * MIB)
      const again = await call(args)
      expect(again.stdout).toMatch(/imported \d+ blocks .*, \d+ were known, head 145 /)
      expect(again.code).toBe(0)
      const session = await openVectorSession({ name: NAME, folder: join(datadir, 'custom', 'chain') })
      try {
        await expectWhole(session.chain)
      } finally {
        await closeSession(session)
      }
    },
  )

  const title = 'that fills unexpectedly after %i KiB fails the write, and the same chain continues once there is space'
  it.each(SMALL_DISKS_KIB)(title, async (size) => {
    const disk = newDisk(size * KIB)
    const folder = join(disk, 'chain')
    mkdirSync(folder)
    // The guard doesn't see the limit, so the write itself hits the end of the disk.
    const store = await openLevelStore(folder, { freeBytes: async () => null })
    const { chain, close } = await openOn(store, folder)
    try {
      const blocks = readBlocks(`${NAME}/blocks.rlp`).map((bytes) => {
        const block = decodeBlock(bytes)
        if (!block.ok) throw new Error(block.error)
        return block.value
      })

      await expect(chain.importBlocks(blocks)).rejects.toMatchObject({ code: 'STORE_DISK_LOW' })
      const found = Number(chain.head.header.number)
      expect(found).toBeLessThan(HEIGHT)
      enlarge(disk, 64 * MIB)
      const rest = await chain.importBlocks(blocks)
      expect(rest).toMatchObject({ refused: null, known: found, added: HEIGHT - found })
      await expectWhole(chain)
    } finally {
      await close()
    }
    enlarge(disk, 600 * MIB)
    const session = await openVectorSession({ name: NAME, folder })
    try {
      await expectWhole(session.chain)
      expect(await importBytes(session.chain, readVector(`${NAME}/blocks.rlp`))).toMatchObject({ known: HEIGHT })
    } finally {
      await closeSession(session)
    }
  })
})

async function openOn(store: Store, folder: string) {
  const genesis = new TextDecoder().decode(readVector(`${NAME}/genesis.json`))
  const network = networkOf('custom', { genesis, networkId: 1, xhashMode: 'full' })
  const xhash = createXhashEngine(network.xhash, { searchFrom: import.meta.dirname })
  const engine = createTypescriptEngine(network.consensus, { keccak256 })
  const options = { params: network.consensus, genesis, folder, checkSeals: false }
  const chain = await openChain(options, { store, engine, seals: xhash, clock: systemClock(), log: silentLogger })
  const close = async (): Promise<void> => {
    await xhash.close()
    await store.close()
  }
  return { chain, close }
}
