import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { ViewLinks } from './view-links'

const HOUR_MS = 3_600_000

describe('view-only links', () => {
  let dir = ''
  let file = ''
  let clock = new FakeClock()
  let drawn = 0
  const desk = async (): Promise<ViewLinks> => {
    const links = new ViewLinks({
      file,
      clock,
      log: silentLogger,
      randomBytes: (length) => {
        drawn += 1
        return new Uint8Array(length).fill(drawn)
      },
    })
    await links.start()
    return links
  }
  const wish = { label: 'Anna', lifetime: 'hour', hides: true } as const

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headframe-links-'))
    file = join(dir, 'view-links.json')
    clock = new FakeClock()
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  it('are found by their token, of which only a hash is kept', async () => {
    const links = await desk()

    const { link, token } = links.create(wish)

    expect(links.find(token)).toEqual({ id: link.id, hides: true, expiresAt: clock.now() + HOUR_MS })
    expect(token.length).toBe(43)
    expect(links.find(`${token.slice(0, -1)}A`)).toBeNull()
    expect(links.find('')).toBeNull()
    const stored = readFileSync(file, 'utf8')
    expect(stored).not.toContain(token)
    expect(stored).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(JSON.stringify(links.list())).not.toContain('hash')
  })

  it('outlive a restart, but not their time', async () => {
    const { token } = (await desk()).create(wish)
    const { token: longer } = (await desk()).create({ ...wish, lifetime: 'month' })

    const again = await desk()
    expect(again.find(token)?.hides).toBe(true)
    clock.advance(HOUR_MS)

    expect(again.find(token)).toBeNull()
    expect(again.find(longer)).not.toBeNull()
    expect((await desk()).list()).toHaveLength(1)
  })

  it('are invalid from their very millisecond on, whenever the sweep comes', async () => {
    const links = await desk()
    const { token, link } = links.create(wish)
    const ended: string[] = []
    links.onEnded((id) => void ended.push(id))

    clock.advance(HOUR_MS - 1)
    expect(links.find(token)).not.toBeNull()
    expect(ended).toEqual([])
    clock.advance(1)
    expect(links.find(token)).toBeNull()
    clock.advance(1_000)

    expect(ended).toEqual([link.id])
    expect(readFileSync(file, 'utf8')).not.toContain(link.id)
  })

  it('for a month end after a month, not at once', async () => {
    const links = await desk()
    const { token } = links.create({ ...wish, lifetime: 'month' })

    clock.advance(29 * 24 * HOUR_MS)

    expect(links.find(token)).not.toBeNull()
  })

  it('that are revoked are reported and closed, also for the next start', async () => {
    const links = await desk()
    const { token, link } = links.create(wish)
    const ended: string[] = []
    links.onEnded((id) => void ended.push(id))

    links.revoke(link.id)
    links.revoke('never there')

    expect(ended).toEqual([link.id])
    expect(links.find(token)).toBeNull()
    expect((await desk()).find(token)).toBeNull()
  })

  it.each(['not JSON', '{"version":1,"links":[{"id":"a"}]}', '{"version":2,"links":[]}'])(
    'reject everyone if the file is %s',
    async (text) => {
      writeFileSync(file, text)

      expect((await desk()).list()).toEqual([])
    },
  )

  it('are limited in number', async () => {
    const links = await desk()
    for (let i = 0; i < 50; i++) links.create(wish)

    expect(() => links.create(wish)).toThrow('there are 50 links already')
  })

  it("aren't created if they can't be stored", async () => {
    const links = await desk()
    rmSync(dir, { recursive: true, force: true })

    expect(() => links.create(wish)).toThrow('cannot be written')
    expect(links.list()).toEqual([])
  })
})
