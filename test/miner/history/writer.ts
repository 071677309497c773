// A miner's history in a process that will be killed: records a minute of a clock that it advances itself, reports up
// to when everything is on disk, and keeps rewriting the same file until it is told to record more.

import { silentLogger } from '../../../src/base/logger'
import { FakeClock } from '../../../src/base/testing/fake-clock'
import { HistoryFile } from '../../../src/miner/stats/history-file'
import { HistoryRecorder } from '../../../src/miner/stats/history-recorder'
import type { DeviceSnapshot } from '../../../src/miner/stats/snapshot'
import { aDevice } from './device'

const SECONDS_A_SAVE = 60

const [file = '', startAt = '0'] = process.argv.slice(2)
const clock = new FakeClock(Number(startAt))
const recorder = new HistoryRecorder({ store: new HistoryFile(file), clock, log: silentLogger })
let minutesAsked = 1
const devices: readonly DeviceSnapshot[] = [aDevice(0), aDevice(1)]

async function main(): Promise<void> {
  await recorder.load()
  for (;;) {
    for (let second = 0; second < SECONDS_A_SAVE; second++) {
      clock.advance(1_000)
      recorder.record(devices)
    }
    await recorder.save()
    process.send?.(clock.now())
    minutesAsked -= 1
    while (minutesAsked < 1) await recorder.save()
  }
}

process.on('message', () => {
  minutesAsked += 1
})
process.on('disconnect', () => process.exit(0))
void main()
