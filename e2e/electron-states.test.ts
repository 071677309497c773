// What each screen shows while it loads, on failures, without contact, while everything is paused, while the node syncs
// and to read-only users: in the desktop program's window.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, it } from 'vitest'
import { PATIENCE_MS } from '../test/patience'
import { type ChangedFrames, changeFrames } from './changed-frames'
import { type Desktop, startDesktop } from './electron-harness'
import { findElectron, MINING_CHEAPLY, temporaryFolder } from './harness'
import { lyingProgram } from './lying-program'
import { manyDevices } from './many-devices'
import { privateGenesis } from './network/genesis'
import { emptyScreens, type StatesShell, screenStates, silentProgram } from './screen-states'
import { throwingScreens } from './thrown-faults'

const found = await findElectron({ display: true })
const what = 'missing' in found ? `(skipped: ${found.missing})` : `${found.version ?? 'unknown'} (${found.source})`
const RICH = '0x52908400098527886e0f7030069857d2e4169ee7'

describe.skipIf('missing' in found)(`states of the screens in Electron ${what}`, () => {
  const datadir = temporaryFolder()
  let desktop: Desktop
  let channel: ChangedFrames

  beforeAll(async () => {
    if ('missing' in found) return
    desktop = await startDesktop({ runtime: found, datadir, more: MINING_CHEAPLY })
    await (await desktop.page('index.html')).getByTestId('health').waitFor()
    channel = await changeFrames(desktop.app)
  })
  afterAll(async () => {
    await desktop?.terminate()
    rmSync(datadir, { recursive: true, force: true })
  })

  const shell = (): StatesShell => ({
    kind: 'electron',
    widths: [],
    async open(before) {
      const page = await desktop.page('index.html')
      page.setDefaultTimeout(PATIENCE_MS)
      await channel.reset()
      await before?.(channel)
      await page.evaluate(`location.hash = '/'`)
      await page.reload()
      await page.getByTestId('shell').waitFor()
      return { page, channel, leave: async () => undefined }
    },
  })
  screenStates(shell)
  silentProgram(shell)
  lyingProgram(shell)
  throwingScreens(shell)
  manyDevices(shell)
})

describe.skipIf('missing' in found)(`a fresh private chain in Electron ${what}`, () => {
  const datadir = temporaryFolder()
  let desktop: Desktop

  beforeAll(async () => {
    if ('missing' in found) return
    const genesis = join(datadir, 'genesis.json')
    writeFileSync(genesis, privateGenesis({ chainId: 94_711, difficulty: 2 ** 40, rich: RICH }))
    const more = [
      ...['--genesis', genesis, '--networkid', '94711', '--p2p.addr', '127.0.0.1', '--port', '0', '--nat', 'none'],
      ...['--cpu=false', '--http', '--signer.http'],
    ]
    desktop = await startDesktop({ runtime: found, datadir, more })
  })
  afterAll(async () => {
    await desktop?.terminate()
    rmSync(datadir, { recursive: true, force: true })
  })

  it('says in one sentence why there is nothing, and what to do', async () => {
    const page = await desktop.page('index.html')
    await page.getByTestId('health').waitFor()
    await emptyScreens(page, 'electron')
  })
})
