// Journeys of a user in a real Chromium, all of them over one program.
import { afterAll, beforeAll, describe } from 'vitest'
import { findChromium, temporaryFolder } from './harness'
import { approvalHands } from './journeys/approval-hands'
import { explainedFigures } from './journeys/figures'
import { filledScreens, foldedOverview, writeYesterday } from './journeys/filled-screens'
import { fiveTasks } from './journeys/five-tasks'
import { inChromium, type Journey } from './journeys/journey'
import { liveSettings } from './journeys/live-settings'
import { overNight } from './journeys/over-night'
import { ALONE, startMining, writeSimulated } from './journeys/start-mining'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''

describe.skipIf('missing' in found)(`journeys in Chromium${reason}`, () => {
  let journey: Journey

  beforeAll(async () => {
    if ('missing' in found) return
    const datadir = temporaryFolder()
    writeYesterday(datadir)
    writeSimulated(datadir)
    journey = await inChromium({ datadir, more: ALONE })
  })
  afterAll(() => journey?.close())

  filledScreens(() => journey)
  liveSettings(() => journey)
  approvalHands(() => journey)
  fiveTasks(() => journey)
  explainedFigures(() => journey)
  foldedOverview(() => journey)
  overNight(() => journey)
  startMining(() => journey)
})
