import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger, type LogRecord } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { configSettings } from '../settings/config-settings'
import { settingsDeps } from '../testing/test-settings'
import { settingsCalls } from './settings-calls'
import type { MachineQuestion, UiAccess } from './ui-handlers'

const HERE = { control: true, approve: false, canSignIn: false, isHere: true }
const ELSEWHERE = { control: true, approve: false, canSignIn: false }
const WITH_TOKEN = ['--api-bind', '0.0.0.0:3333', '--api-token', 'abcdefghijklmnopqrstuvwxyz'] as const

describe('the settings calls', () => {
  const signal = new AbortController().signal
  let dir = ''
  const records: LogRecord[] = []
  const log = createLogger('', {
    minLevel: 'info',
    now: () => 1,
    sink: { write: (record) => void records.push(record) },
  })
  const calls = (access: UiAccess, argv: readonly string[] = [], restart: (() => void) | null = null) => {
    const deps = settingsDeps(dir, new FakeClock(), argv)
    return settingsCalls({ ...deps, settings: configSettings(deps.config), restart, log }, access)
  }

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headframe-settings-'))
    records.length = 0
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  it('record every change, and no secret', async () => {
    await calls(HERE)['app.setOption']({ key: 'miner.cpuThreads', value: '2' }, signal)
    await calls(HERE)['app.setOption']({ key: 'api.token', value: 'zyxwvutsrqponmlkjihgfedcba' }, signal)

    expect(records.map(({ message, fields }) => ({ message, ...fields }))).toEqual([
      { message: 'setting changed', setting: 'miner.cpu-threads', value: '2', here: true },
      { message: 'setting changed', setting: 'api.token', value: '***', here: true },
    ])
  })

  it("write nothing that can't take effect", async () => {
    const deps = settingsDeps(dir, new FakeClock())
    const settings = configSettings(deps.config)
    const live = { take: () => Promise.reject(new Error('the port is in use')) }
    const { 'app.setOption': set } = settingsCalls({ ...deps, settings, live, log }, HERE)

    await expect(set({ key: 'node.httpPort', value: '8600' }, signal)).rejects.toThrow('the port is in use')

    expect(settings.textInFile('node.httpPort')).toBeNull()
    expect(records).toEqual([])
  })

  it('create a new token at the machine only, and show it once', async () => {
    await expect(calls(ELSEWHERE)['app.newToken']({}, signal)).rejects.toThrow('at the machine only')

    const { token } = await calls(HERE)['app.newToken']({}, signal)

    expect(readFileSync(join(dir, 'config.toml'), 'utf8')).toContain(token)
    expect(token).toHaveLength(43)
    expect(JSON.stringify(records)).not.toContain(token)
    expect(JSON.stringify(await calls(HERE)['app.options']({}, signal))).not.toContain(token)
  })

  it('open a door from the window only after a person confirmed outside of it', async () => {
    const asked: string[] = []
    const windowed = (answer: boolean) => ({
      ...HERE,
      confirm: async (question: MachineQuestion) => asked.push(Object.values(question).join(' ')) > 0 && answer,
    })
    const change = { key: 'api.bind', value: '127.0.0.1:4444' }

    await expect(calls(windowed(false))['app.setOption'](change, signal)).rejects.toThrow('not confirmed')
    await expect(calls(windowed(false))['app.newToken']({}, signal)).rejects.toThrow('not confirmed')
    expect(existsSync(join(dir, 'config.toml'))).toBe(false)

    await calls(windowed(true))['app.setOption'](change, signal)
    await calls(windowed(true))['app.setOption']({ key: 'miner.cpuThreads', value: '2' }, signal)
    expect(readFileSync(join(dir, 'config.toml'), 'utf8')).toContain('4444')
    expect(asked).toEqual([
      'setting api.bind 127.0.0.1:4444',
      'setting api.token ***',
      'setting api.bind 127.0.0.1:4444',
    ])
  })

  it('restart only if the front door can', async () => {
    const asked: string[] = []

    expect(() => calls(HERE)['app.restart']({}, signal)).toThrow('cannot start it again')
    await calls(HERE, [], () => void asked.push('again'))['app.restart']({}, signal)

    expect(asked).toEqual(['again'])
  })

  it("say why a file doesn't start the program, and stop nothing", () => {
    const restart = (): void => {
      throw new Error('miner.cpu-threads: 0 is not in 1..256')
    }

    expect(() => calls(HERE, [], restart)['app.restart']({}, signal)).toThrow('0 is not in')
  })

  it('create links if a token guards reading, but not if one would hide nothing', async () => {
    const wish = { label: 'Anna', lifetime: 'day', hides: true } as const
    expect(() => calls(HERE)['app.viewLinkCreate'](wish, signal)).toThrow('would hide nothing')
    expect(() => calls(HERE, ['--api-bind', 'off'])['app.viewLinkCreate'](wish, signal)).toThrow('nothing listens')
    expect(await calls(HERE)['app.viewLinks']({}, signal)).toMatchObject({ obstacle: 'open', isLocalOnly: true })

    const open = calls(ELSEWHERE, WITH_TOKEN)
    const { link, token } = await open['app.viewLinkCreate'](wish, signal)

    expect(await open['app.viewLinks']({}, signal)).toEqual({
      obstacle: '',
      isLocalOnly: false,
      links: [link],
      watching: [],
    })
    await open['app.viewLinkRevoke']({ id: link.id }, signal)
    expect(await open['app.viewLinks']({}, signal)).toMatchObject({ links: [] })
    expect(JSON.stringify(records)).not.toContain(token)
  })
})
