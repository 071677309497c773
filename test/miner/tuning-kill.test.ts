// Two hundred tunings killed at random moments: the next start restores every card.
import { fork } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { AmdCard } from '../../src/miner/tuning/amd-controls'
import { CardTuner } from '../../src/miner/tuning/card-tuner'
import { FakeAmdCard, UNTOUCHED } from '../../src/miner/tuning/testing/fake-amd-card'
import { TuningJournal } from '../../src/miner/tuning/tuning-journal'
import { memoryFolder } from '../memory-folder'

const ROOT = resolve(import.meta.dirname, '../..')
const KILLS = 10
/** Rigs that one process tunes side by side; a kill ends all of them, each at a different point. */
const RIGS = 20
const folder = memoryFolder('headframe-tuning-')

beforeAll(() =>
  build({
    configFile: false,
    logLevel: 'error',
    root: ROOT,
    ssr: { noExternal: true },
    build: {
      ssr: join(ROOT, 'test/miner/tuning/tuner.ts'),
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: { output: { format: 'es', entryFileNames: '[name].mjs' } },
    },
  }),
)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Lets a process tune its rigs, and kills it after this many writes to their drivers. @returns writes of each rig until
 * then
 */
function tuneAndKill(place: string, writes: number): Promise<number[]> {
  const child = fork(join(folder, 'tuner.mjs'), [place, String(RIGS), String(writes)])
  const seen = Array.from({ length: RIGS }, () => 0)
  let total = 0
  child.on('message', (rig) => {
    seen[Number(rig)] = (seen[Number(rig)] ?? 0) + 1
    total += 1
    if (total === writes) child.kill('SIGKILL')
  })
  return new Promise((done, fail) => {
    child.on('exit', (_code, signal) => (signal === 'SIGKILL' ? done(seen) : fail(new Error('it ended by itself'))))
  })
}

it('repairs every card after each of 200 kills', async () => {
  const reached = new Set<number>()
  let seed = 20_261
  for (let kill = 0; kill < KILLS; kill++) {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    const place = join(folder, `kill-${kill}`)
    for (const writes of await tuneAndKill(place, 20 + (seed % 400))) reached.add(writes)
    const putRight = async (rig: number): Promise<void> => {
      const fake = new FakeAmdCard(join(place, String(rig), 'drm'))
      const journal = new TuningJournal(join(place, String(rig), 'journal.json'), silentLogger)
      const card = new CardTuner(new AmdCard(fake.pci, { root: fake.root, write: fake.write }), journal)
      await card.release()
      // Every second rig had its power limit set by hand before: that one stays.
      const right = rig % 2 === 0 ? UNTOUCHED : { ...UNTOUCHED, power: 210 }
      expect(await fake.state(), `kill ${kill}, rig ${rig}`).toEqual(right)
    }
    await Promise.all(Array.from({ length: RIGS }, (_, rig) => putRight(rig)))
  }
  expect(reached.size, 'moments at which rigs were killed').toBeGreaterThan(8)
})
