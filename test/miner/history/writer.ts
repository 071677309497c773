// A miner's history in a process that is going to be killed: records a minute of a clock that it turns itself, tells up to
// when everything is on the disk, and goes on writing the same file again and again until it is told to record more.

import { silentLogger } from '../../../src/base/logger'
import { FakeClock } from '../../../src/base/testing/fake-clock'
import type { DeviceSnapshot } from '../../../src/miner/snapshot'
import { HistoryFile } from '../../../src/miner/stats/history-file'
import { HistoryRecorder } from '../../../src/miner/stats/history-recorder'
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
