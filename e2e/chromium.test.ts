// The dashboard of a headless start in a real Chromium, and what strangers' pages can't do with it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { firstLight, NEW_VERSION, NEWS, type PracticeAccount } from './first-light'
import { serveForeignPage } from './foreign-page'
import { type Front, findChromium, http, openChromium, temporaryFolder } from './harness'
import { firstSteps } from './journeys/first-steps'
import { readPracticeAccount } from './practice-account'
import { type ReleaseHost, serveRelease } from './release-host'

const found = findChromium()
const reason = 'missing' in found ? ` (skipped: ${found.missing})` : ''

describe.skipIf('missing' in found)(`headless start in Chromium${reason}`, () => {
  const datadir = temporaryFolder()
  let front: Front
  let account: PracticeAccount
  let releases: ReleaseHost

  beforeAll(async () => {
    if ('missing' in found) return
    releases = await serveRelease(NEW_VERSION, NEWS)
    front = await openChromium(datadir, releases.options)
    account = readPracticeAccount(readFileSync(join(datadir, 'practice-account.txt'), 'utf8'))
  })
  afterAll(async () => {
    await front?.close()
    releases?.close()
  })

  firstLight({ front: () => front, account: () => account, releases: () => releases })
  firstSteps(
    () => front,
    () => datadir,
  )

  it('sends the page with its policy and nothing for other origins', async () => {
    const response = await front.dashboard.request.get(front.ready.dashboard)

    expect(response.headers()['content-security-policy']).toContain("default-src 'none'")
    expect(response.headers()['access-control-allow-origin']).toBeUndefined()
    expect(response.headers()['x-content-type-options']).toBe('nosniff')
  })

  it('lets a page of another origin read nothing', async () => {
    const foreign = await serveForeignPage()
    const page = await front.dashboard.context().newPage()
    await page.goto(foreign.url)

    const outcome = await page.evaluate(async (api) => {
      const read = await fetch(`http://${api}/api/v1/summary`).then(
        () => 'read',
        () => 'refused',
      )
      const socket = await new Promise((done) => {
        const channel = new WebSocket(`ws://${api}/ui/v1/channel`)
        channel.onopen = () => channel.send('{"t":"hello","token":null}')
        channel.onmessage = () => done('answered')
        channel.onerror = () => done('refused')
        channel.onclose = () => done('refused')
      })
      return { read, socket }
    }, front.ready.api)

    expect(outcome).toEqual({ read: 'refused', socket: 'refused' })
    await page.close()
    await foreign.close()
  })

  it('rejects a foreign Host on every listener', async () => {
    const headers = { host: 'attacker.example' }

    const answers = await Promise.all([
      http(`http://${front.ready.api}/api/v1/summary`, { headers }),
      http(`http://${front.ready.http}/`, {
        body: { jsonrpc: '2.0', id: 1, method: 'eth_accounts', params: [] },
        headers,
      }),
      http(`http://${front.ready.signer.http}/`, {
        body: { jsonrpc: '2.0', id: 1, method: 'account_list', params: [] },
        headers,
      }),
    ])

    expect(answers.map((answer) => answer.status)).toEqual([403, 403, 403])
  })
})
