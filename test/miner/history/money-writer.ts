// A miner's ledger in a process that will be killed: mines half a minute of a clock that it advances itself, reports up to
// when everything is on disk, and keeps writing to the same file until it is told to mine more.
import { Emitter } from '../../../src/base/events'
import { silentLogger } from '../../../src/base/logger'
import { FakeClock } from '../../../src/base/testing/fake-clock'
import { JournalFile } from '../../../src/files/journal-file'
import type { MinerEvents } from '../../../src/miner/miner-service-options'
import { MoneyLedger } from '../../../src/miner/stats/money-ledger'
import { aDevice } from './device'

const RATE = 100
const SECONDS = 30

const [file = '', startAt = '0'] = process.argv.slice(2)
const clock = new FakeClock(Number(startAt))
const events = new Emitter<MinerEvents>()
const source = { kind: 'pool', host: 'pool.example:1', difficulty: 1_000 } as const
const journal = new JournalFile(file, silentLogger)
const ledger = new MoneyLedger({
  miner: { events, snapshot: () => ({ source }) },
  worth: () => ({ difficulty: 1e6, subsidyWei: 50n * 10n ** 18n }),
  isHot: () => false,
  journal,
  clock,
  log: silentLogger,
})
let asked = 1
let hashes = 0

async function main(): Promise<void> {
  for (;;) {
    await ledger.start()
    for (let second = 0; second < SECONDS; second++) {
      clock.advance(1_000)
      hashes += RATE
      events.emit('devicesChanged', [{ ...aDevice(0), hashes, usualHashrate: RATE }])
    }
    await ledger.stop()
    process.send?.(clock.now())
    asked -= 1
    while (asked < 1) await journal.append([{ other: 'a line of a later version' }])
  }
}

process.on('message', () => {
  asked += 1
})
process.on('disconnect', () => process.exit(0))
void main()
