// Tunes many rigs side by side in a process that will be killed, and reports each write to a driver.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { silentLogger } from '../../../src/base/logger'
import { AmdCard } from '../../../src/miner/tuning/amd-controls'
import { CardTuner } from '../../../src/miner/tuning/card-tuner'
import { FakeAmdCard } from '../../../src/miner/tuning/testing/fake-amd-card'
import { TuningJournal } from '../../../src/miner/tuning/tuning-journal'

const [place = '', rigs = '0'] = process.argv.slice(2)

async function prepare(rig: number): Promise<() => Promise<void>> {
  const folder = join(place, String(rig))
  await mkdir(folder, { recursive: true })
  const fake = new FakeAmdCard(join(folder, 'drm'))
  await fake.plugIn()
  let isTold = false
  const write: typeof fake.write = async (path, text) => {
    await fake.write(path, text)
    if (isTold) process.send?.(rig)
  }
  const journal = new TuningJournal(join(folder, 'journal.json'), silentLogger)
  const card = new CardTuner(new AmdCard(fake.pci, { root: fake.root, write }), journal)
  if (rig % 2 === 1) await card.set({ power: 210 }, 'standing')
  return async () => {
    isTold = true
    for (let round = 0; ; round++) {
      await card.set({ power: 120 + (round % 50), coreClock: 1_200 + round }, 'trying')
      await (round % 3 === 0 ? card.takeBack() : card.keep())
      await card.set({ memoryClock: 1_100, fan: 40 + (round % 60) }, 'good')
      if (round % 4 === 3) await card.release()
    }
  }
}

async function main(): Promise<void> {
  const all = await Promise.all(Array.from({ length: Number(rigs) }, (_, rig) => prepare(rig)))
  await Promise.all(all.map((tune) => tune()))
}

process.on('disconnect', () => process.exit(0))
void main()
