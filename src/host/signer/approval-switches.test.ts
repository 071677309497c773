import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { ApprovalSwitches, REMOTE_LASTS_MS } from './approval-switches'

const ENCRYPTED = { isEncrypted: true }
const PLAIN = { isEncrypted: false }
const DAY_MS = 86_400_000

describe('the switches of approvals', () => {
  let dataDir: string
  let clock: FakeClock
  let keeping: boolean[]
  let warned: string[]
  const open = async (hasToken = true, at = clock): Promise<ApprovalSwitches> => {
    const onKeepUnlocked = (isOn: boolean): void => void keeping.push(isOn)
    const log = { ...silentLogger, error: (message: string) => void warned.push(message) }
    const switches = new ApprovalSwitches({ dataDir, hasToken, onKeepUnlocked, clock: at, log })
    await switches.start()
    return switches
  }

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'switches-'))
    clock = new FakeClock()
    keeping = []
    warned = []
  })
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

  it('are off at first', async () => {
    const switches = await open()

    expect(switches.remote()).toEqual({ mode: 'off', expiresAt: null })
    expect([switches.admits(ENCRYPTED), switches.admits(PLAIN), switches.keepUnlocked]).toEqual([false, false, false])
    expect(keeping).toEqual([false])
    expect(warned).toEqual([])
  })

  it.each([
    ['is damaged', (file: string) => writeFileSync(file, '{')],
    ["can't be read", (file: string) => mkdirSync(file)],
  ])('are off where their file %s, and that is said', async (_what, spoil) => {
    spoil(join(dataDir, 'approvals.json'))
    const switches = await open()

    expect(switches.remote().mode).toBe('off')
    expect(warned).toEqual(['file cannot be used and is moved aside'])
    await switches.setKeepUnlocked(true)
    expect((await open()).keepUnlocked).toBe(true)
  })

  it('allow encrypted connections for exactly 30 days, and others never', async () => {
    const switches = await open()
    await switches.setRemote('encrypted', '')

    expect([switches.admits(ENCRYPTED), switches.admits(PLAIN)]).toEqual([true, false])
    clock.advance(REMOTE_LASTS_MS - 1)
    expect(switches.admits(ENCRYPTED)).toBe(true)
    clock.advance(1)
    expect(switches.admits(ENCRYPTED)).toBe(false)
  })

  it('report that they ended by themselves', async () => {
    const switches = await open()
    await switches.setRemote('encrypted', '')
    const told: string[] = []
    switches.events.on('changed', () => told.push(switches.remote().mode))

    clock.advance(REMOTE_LASTS_MS + 120_000)
    await switches.stop()

    expect(told).toEqual(['off'])
  })

  it('need typed consent for connections that anyone can read', async () => {
    const switches = await open()

    await expect(switches.setRemote('plain', 'yes')).rejects.toThrow('UNENCRYPTED')
    expect(switches.remote().mode).toBe('off')
    await switches.setRemote('plain', ' UNENCRYPTED ')
    expect([switches.admits(ENCRYPTED), switches.admits(PLAIN)]).toEqual([true, true])
  })

  it('need a token', async () => {
    const switches = await open(false)

    await expect(switches.setRemote('encrypted', '')).rejects.toThrow('token')
    expect(switches.admits(ENCRYPTED)).toBe(false)
  })

  it('are kept over a restart, for their owner only, and off again once the token is gone', async () => {
    const first = await open()
    await first.setRemote('encrypted', '')
    await first.setKeepUnlocked(true)
    await first.stop()

    const second = await open()
    expect(second.remote()).toEqual({ mode: 'encrypted', expiresAt: clock.now() + REMOTE_LASTS_MS })
    expect(second.keepUnlocked).toBe(true)
    expect(keeping).toEqual([false, false, true, true])
    if (process.platform !== 'win32') expect(statSync(join(dataDir, 'approvals.json')).mode & 0o777).toBe(0o600)
    expect((await open(false)).remote().mode).toBe('off')
  })

  it('stay expired, even if the clock is set back at the next start', async () => {
    const first = await open()
    await first.setRemote('encrypted', '')
    await first.setKeepUnlocked(true)
    clock.advance(REMOTE_LASTS_MS + 60_000)
    await first.stop()

    const second = await open(true, new FakeClock(clock.now() - 2 * DAY_MS))

    expect(second.remote().mode).toBe('off')
    expect(second.keepUnlocked).toBe(true)
  })

  it("don't last longer if the clock is set back", async () => {
    const first = await open()
    await first.setRemote('encrypted', '')

    const earlier = await open(true, new FakeClock(clock.now() - DAY_MS))

    expect(earlier.remote().mode).toBe('off')
  })

  it.each(['', '{"remoteUntil":"soon"}', '[]'])('are off if their file says "%s"', async (text) => {
    writeFileSync(join(dataDir, 'approvals.json'), text)

    expect((await open()).remote().mode).toBe('off')
  })

  it('keep both of two changes made at once', async () => {
    const switches = await open()
    await Promise.all([switches.setRemote('plain', 'UNENCRYPTED'), switches.setKeepUnlocked(true)])
    await Promise.all([switches.setRemote('off', ''), switches.setKeepUnlocked(false)])

    const next = await open()
    expect([next.remote().mode, next.keepUnlocked]).toEqual(['off', false])
  })

  it("change nothing if they can't be written", async () => {
    const switches = await open()
    rmSync(dataDir, { recursive: true })
    writeFileSync(dataDir, 'no folder')

    await expect(switches.setKeepUnlocked(true)).rejects.toThrow('approvals.json')
    expect(switches.keepUnlocked).toBe(false)
  })
})
