import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { resolveConfig } from '../../config/resolve'
import type { FileText } from '../../config/resolved-config'
import { ConfigSettings } from './config-settings'

const readFile = (path: string): FileText => {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch {
    return { missing: true }
  }
}

describe('the opened settings', () => {
  let dir = ''
  let file = ''
  const opened = (argv: readonly string[] = [], environment: Record<string, string> = {}): ConfigSettings => {
    const surroundings = { platform: 'linux', environment, homeDir: '/h', workingDir: '/' }
    const config = resolveConfig({ argv: ['run', '--datadir', dir, ...argv], surroundings, readFile, windowless: true })
    return new ConfigSettings({ config, surroundings, readFile })
  }
  const optionOf = (one: ConfigSettings, key: string, mayApprove = true) =>
    one
      .sections(mayApprove)
      .flatMap((section) => section.options)
      .find((option) => option.key === key)

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headframe-settings-'))
    file = join(dir, 'config.toml')
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  it('shows every option that a file may contain with its value, default and source', () => {
    writeFileSync(file, '[miner]\ncpu-threads = 3\n')

    const one = opened()

    expect(one.file).toBe(file)
    expect(optionOf(one, 'miner.cpuThreads')).toMatchObject({
      flag: 'cpu-threads',
      kind: 'number',
      value: '3',
      defaultValue: '1',
      source: { kind: 'file', name: `${file}:2` },
      inFile: '3',
      locked: '',
    })
    expect(optionOf(one, 'app.dataDir')).toBeUndefined()
  })

  it('shows the effective values of every section: an option with a default always has a value', () => {
    const options = opened()
      .sections(true)
      .flatMap((section) => section.options)

    expect(options.filter(({ value, defaultValue }) => value === null && defaultValue !== null)).toEqual([])
    expect(options.find(({ key }) => key === 'desktop.closeToTray')).toMatchObject({ value: 'true' })
  })

  it('writes an option for the next start, readable by its owner only', () => {
    expect(opened().set('miner.cpuThreads', '2', false)).toBe('live')

    expect(readFileSync(file, 'utf8')).toBe('[miner]\ncpu-threads = 2\n')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(optionOf(opened(), 'miner.cpuThreads')?.value).toBe('2')
  })

  it('names what waits for a restart, reports changes to that, and omits what takes effect while running', () => {
    const one = opened()
    const heard: string[] = []
    one.events.on('changed', () => void heard.push(one.waitsForRestart().join()))
    expect(one.waitsForRestart()).toEqual([])

    one.set('miner.dagLoadMode', '1', true)
    one.set('pool.urls', 'stratum+tcp://me@pool.example:4444', true)
    one.set('app.welcome', 'false', true)
    one.set('miner.dagLoadMode', null, true)

    expect(heard).toEqual(['dag-load-mode', 'dag-load-mode', 'dag-load-mode', ''])
    writeFileSync(file, 'no toml [')
    expect(one.waitsForRestart()).toEqual([])
  })

  it("reports the next start's value while this one still has another", () => {
    const one = opened()
    one.set('miner.dagLoadMode', '1', false)

    expect(optionOf(one, 'miner.dagLoadMode')).toMatchObject({ value: '0', inFile: '1' })
  })

  it('removes an option from the file', () => {
    writeFileSync(file, '# mine\n[miner]\ncpu-threads = 3\ncpu = true\n')

    opened().set('miner.cpuThreads', null, false)

    expect(readFileSync(file, 'utf8')).toBe('# mine\n[miner]\ncpu = true\n')
  })

  it.each([
    ['miner.cpuThreads', '0', 'miner.cpu-threads: 0 is not in 1..256'],
    ['miner.cpuThreads', '', 'miner.cpu-threads: an empty value is not in 1..256'],
    ['miner.cpu', 'maybe', 'miner.cpu: maybe is not true or false'],
    ['api.token', 'a b', 'api.token: *** is not 1..512 visible ASCII characters without blanks'],
  ])('rejects an invalid value of %s', (key, value, message) => {
    expect(() => opened().set(key, value, true)).toThrow(message)
    expect(readFile(file)).toEqual({ missing: true })
  })

  it('rejects what is dangerous together with the rest of the file, and leaves the file as it was', () => {
    writeFileSync(file, '[api]\nallow-control = true\n')

    expect(() => opened().set('api.bind', '0.0.0.0:3333', true)).toThrow(/token/)
    expect(readFileSync(file, 'utf8')).toBe('[api]\nallow-control = true\n')
  })

  it.each([
    ['rpc.httpCors', '*', /every web page/],
    ['rpc.httpCors', 'https://wallet.example', /could change the node/],
    ['rpc.wsOrigins', '*', /every web page/],
  ])('rejects what opens a door, although a command line may: %s %s', (key, value, reason) => {
    writeFileSync(file, '[rpc]\nhttp-api = ["eth", "debug"]\n')

    expect(() => opened().set(key, value, true)).toThrow(reason)
    expect(readFileSync(file, 'utf8')).toBe('[rpc]\nhttp-api = ["eth", "debug"]\n')
  })

  it('changes an option beside tables of pools', () => {
    const pools = '[[pool.urls]]\nurl = "stratum://a.example:1"\n[[pool.urls]]\nurl = "stratum://b.example:1"\n'
    writeFileSync(file, `[pool]\nretry-max = 3\n\n${pools}`)

    opened().set('pool.user', 'me', true)

    expect(readFileSync(file, 'utf8')).toBe(`[pool]\nretry-max = 3\nuser = "me"\n\n${pools}`)
    expect(optionOf(opened(), 'pool.user')?.value).toBe('me')
  })

  it.each([
    ['[[pool.urls]]\nurl = "stratum://a.example:1"\n', 'pool.urls', 'stratum://b.example:1'],
    ['miner.cpu-threads = 1\n', 'miner.cpuThreads', '2'],
    ['miner = { cpu-threads = 1 }\n', 'miner.cpu', 'true'],
  ])('never claims a change that the form of the file prevents: %j %s', (text, key, value) => {
    writeFileSync(file, text)

    expect(() => opened().set(key, value, true)).toThrow(/in a form that only an editor can change: change \S+ there/)
    expect(readFileSync(file, 'utf8')).toBe(text)
  })

  it("doesn't block other changes if the file already opens such a door", () => {
    writeFileSync(file, '[rpc]\nhttp-cors = ["*"]\n')

    expect(opened().set('miner.cpuThreads', '2', false)).toBe('live')
  })

  it('keeps users who only control the miner from changing what guards keys and access', () => {
    expect(optionOf(opened(), 'api.token', false)?.locked).toBe('machine')
    expect(() => opened().set('api.token', 'abcdefghijklmnopqrstuvwxyz', false)).toThrow('at the machine only')
    expect(() => opened().set('signer.http', 'false', false)).toThrow('at the machine only')
  })

  it('locks what the command line or the environment set, and names those options', () => {
    const one = opened(['--cpu-threads', '4'], { HEADFRAME_CPU: 'true' })

    expect(optionOf(one, 'miner.cpuThreads')).toMatchObject({ locked: 'command line', value: '4' })
    expect(() => one.set('miner.cpuThreads', '2', true)).toThrow('set by command line --cpu-threads')
    expect(() => one.set('miner.cpu', 'false', true)).toThrow('set by environment HEADFRAME_CPU')
  })

  it('never shows a secret, and accepts a new one', () => {
    opened().set('api.token', 'abcdefghijklmnopqrstuvwxyz', true)
    opened().set('pool.urls', 'stratum+tcp://me:hidden@a.example:1 stratum+tcp://b.example:2', true)

    expect(readFileSync(file, 'utf8')).toContain('me:hidden@a.example')
    const shown = JSON.stringify(opened().sections(true))
    expect(shown).not.toContain('abcdefghijklmnopqrstuvwxyz')
    expect(shown).not.toContain('hidden')
    expect(optionOf(opened(), 'pool.urls')).toMatchObject({ kind: 'secret' })
  })

  it("knows only a file's options", () => {
    expect(() => opened().set('app.dataDir', '/x', true)).toThrow('app.dataDir is not a setting')
    expect(() => opened().set('constructor', '1', true)).toThrow('constructor is not a setting')
  })
})
