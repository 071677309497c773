// The same journeys as in a browser, in the desktop program's window.
import { afterAll, beforeAll, describe } from 'vitest'
import { findElectron, temporaryFolder } from './harness'
import { approvalHands } from './journeys/approval-hands'
import { everyLayout } from './journeys/every-layout'
import { explainedFigures } from './journeys/figures'
import { filledScreens, foldedOverview, readableScreens, writeYesterday } from './journeys/filled-screens'
import { fiveTasks } from './journeys/five-tasks'
import { inElectron, type Journey } from './journeys/journey'
import { liveSettings } from './journeys/live-settings'
import { overNight } from './journeys/over-night'
import { ALONE, startMining, writeSimulated } from './journeys/start-mining'

const found = await findElectron({ display: true })
const what = 'missing' in found ? `(skipped: ${found.missing})` : `${found.version ?? 'unknown'} (${found.source})`

describe.skipIf('missing' in found)(`journeys in Electron ${what}`, () => {
  let journey: Journey

  beforeAll(async () => {
    if ('missing' in found) return
    const datadir = temporaryFolder()
    writeYesterday(datadir)
    writeSimulated(datadir)
    journey = await inElectron(found, { datadir, more: ALONE })
  })
  afterAll(() => journey?.close())

  filledScreens(() => journey)
  readableScreens(() => journey)
  everyLayout(() => journey)
  liveSettings(() => journey)
  approvalHands(() => journey)
  fiveTasks(() => journey)
  explainedFigures(() => journey)
  foldedOverview(() => journey)
  overNight(() => journey)
  startMining(() => journey)
})
