// A card can always be restored: wherever the program is cut off, the next start finds what to do.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { AmdCard } from './amd-controls'
import { CardTuner } from './card-tuner'
import { FakeAmdCard, UNTOUCHED } from './testing/fake-amd-card'
import { TuningJournal } from './tuning-journal'

let folder = ''
let fake: FakeAmdCard
const journalFile = (): string => join(folder, 'journal.json')
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headframe-tuner-'))
  fake = new FakeAmdCard(join(folder, 'drm'))
  await fake.plugIn()
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Like a fresh start: only what is on disk is remembered. @param write wraps writes to the driver */
function tunerOf(card: FakeAmdCard, file: string, write = card.write): CardTuner {
  return new CardTuner(new AmdCard(card.pci, { root: card.root, write }), new TuningJournal(file, silentLogger))
}
const tuner = (write = fake.write): CardTuner => tunerOf(fake, journalFile(), write)

/** Writes to the driver in a complete run, and two more. */
const LIFE_WRITES = 24

/** A run that dies after this many writes to the driver. */
async function untilDeath(card: FakeAmdCard, file: string, writes: number): Promise<void> {
  let left = writes
  let died: () => void = () => undefined
  const death = new Promise<void>((resolve) => {
    died = resolve
  })
  const mortal = tunerOf(card, file, async (path, text) => {
    if (left-- > 0) return card.write(path, text)
    died()
    return new Promise(() => undefined)
  })
  const life = async (): Promise<void> => {
    await mortal.set({ power: 180, memoryClock: 1100 }, 'trying')
    await mortal.keep()
    await mortal.set({ coreClock: 1400 }, 'trying')
    await mortal.takeBack()
    await mortal.set({ fan: 70 }, 'good')
    await mortal.release()
  }
  await Promise.race([life(), death])
}
const journalText = (): Promise<string> => readFile(journalFile(), 'utf8').catch(() => '')

describe('a card that is tuned', () => {
  it('is in the journal on disk before it is touched', async () => {
    const seen: string[] = []
    const watched = tuner(async (path, text) => {
      seen.push(await journalText())
      await fake.write(path, text)
    })
    await watched.set({ power: 150, coreClock: 1500 }, 'trying')
    expect(seen.length).toBeGreaterThan(3)
    for (const text of seen) {
      expect(JSON.parse(text).cards['03:00.0']).toMatchObject({
        own: { power: 220, coreClock: null },
        trying: { power: 150, coreClock: 1500 },
      })
    }
  })

  it.each([
    ['is as it was', false],
    ['is as it was set by hand', true],
  ])('%s when the program dies at any write', async (_what, byHand) => {
    await Promise.all(
      Array.from({ length: LIFE_WRITES }, async (_none, alive) => {
        const rig = new FakeAmdCard(join(folder, `rig-${alive}`))
        const file = join(folder, `rig-${alive}`, 'journal.json')
        await rig.plugIn()
        if (byHand) await tunerOf(rig, file).set({ power: 200 }, 'standing')
        await untilDeath(rig, file, alive)
        await tunerOf(rig, file).release()
        expect(await rig.state(), `after ${alive} writes`).toEqual(byHand ? { ...UNTOUCHED, power: 200 } : UNTOUCHED)
        if (!byHand) expect(JSON.parse(await readFile(file, 'utf8')).cards).toEqual({})
      }),
    )
  })

  it('keeps proven settings when a step is reverted', async () => {
    const one = tuner()
    await one.set({ power: 180 }, 'trying')
    await one.keep()
    await one.set({ power: 120, coreClock: 1200 }, 'trying')
    await one.takeBack()
    expect(await fake.state()).toEqual({ ...UNTOUCHED, power: 180 })
    expect(await one.settings()).toEqual({ power: 180 })
  })

  it('keeps nothing that was refused, and the refusal says what to type', async () => {
    const poor = tuner((path, text) =>
      text === 'c' ? Promise.reject(new Error('EACCES: permission denied')) : fake.write(path, text),
    )
    await expect(poor.set({ power: 150, coreClock: 1500 }, 'good')).rejects.toMatchObject({
      code: 'TUNING_REFUSED',
      message: expect.stringMatching(/EACCES.*echo 150000000 \| sudo tee/),
    })
    expect((await fake.state()).power).toBe(220)
  })

  it.each([
    [{ power: 251 }, 'power 251 is not in 100..250 W'],
    [{ coreClock: Number.NaN }, 'core NaN is not in 500..2150 MHz'],
    [{ fan: -1 }, 'fan -1 is not in 0..100 %'],
  ])("isn't touched by out-of-range values: %j", async (settings, words) => {
    await expect(tuner().set(settings, 'good')).rejects.toThrow(words)
    expect([await fake.state(), await journalText()]).toEqual([UNTOUCHED, ''])
  })

  it("doesn't get the values of the previous card in its slot", async () => {
    await tuner().set({ power: 150 }, 'good')
    await fake.plugIn('another')
    await tuner().release()
    expect(await fake.state()).toEqual(UNTOUCHED)
    await tuner().set({ power: 240 }, 'good')
    await tuner().release()
    expect(await fake.state()).toEqual(UNTOUCHED)
  })

  it("isn't touched if the journal can't be written", async () => {
    const journal = new TuningJournal(join(fake.root, 'card0', 'device', 'vendor', 'journal.json'), silentLogger)
    const card = new CardTuner(new AmdCard('03:00.0', { root: fake.root, write: fake.write }), journal)
    await expect(card.set({ power: 150 }, 'good')).rejects.toThrow()
    expect(await fake.state()).toEqual(UNTOUCHED)
  })
})
