import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { ENTRIES } from '../../config/catalog'
import { resolveConfig } from '../../config/resolve'
import type { FileText } from '../../config/resolved-config'
import { liveParts } from '../live-parts'
import { SharedLevel } from '../log/shared-level'
import { ConfigSettings } from './config-settings'
import { LiveSettings } from './live-settings'

const readFile = (path: string): FileText => {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch {
    return { missing: true }
  }
}

describe('options that take effect while the program runs', () => {
  let dir = ''
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headframe-live-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  const opened = (...argv: readonly string[]): ConfigSettings => {
    const surroundings = { platform: 'linux', environment: {}, homeDir: '/h', workingDir: '/' }
    const config = resolveConfig({ argv: ['run', '--datadir', dir, ...argv], surroundings, readFile, windowless: true })
    return new ConfigSettings({ config, surroundings, readFile })
  }
  const optionOf = (settings: ConfigSettings, key: string) =>
    settings
      .sections(true)
      .flatMap(({ options }) => options)
      .find((option) => option.key === key)

  it('pass a change to the part that uses it, once, and report the new value as effective', async () => {
    const settings = opened()
    const seen: number[] = []
    const live = new LiveSettings(settings, [
      { keys: ['miner.tstop', 'miner.tstart'], apply: async ({ miner }) => void seen.push(miner.tstop) },
      { keys: ['miner.cpuThreads'], apply: async () => void seen.push(-1) },
    ])

    settings.set('miner.tstop', '70', true)
    await live.take()
    await live.take()

    expect(seen).toEqual([70])
    expect(optionOf(settings, 'miner.tstop')).toMatchObject({ value: '70', applies: 'live', source: { kind: 'file' } })
    expect(settings.waitsForRestart()).toEqual([])
    settings.set('miner.tstop', null, true)
    await live.take()
    expect(seen).toEqual([70, 0])
  })

  it('leave command line options alone', async () => {
    const settings = opened('--tstop', '80')
    expect(settings.current().miner.tstop).toBe(80)
    expect(() => settings.set('miner.tstop', '70', true)).toThrow('command line')
  })

  it('are tried again at the next change if a part rejected them', async () => {
    const settings = opened()
    const tries: number[] = []
    const apply = async ({ miner }: { readonly miner: { readonly cpuThreads: number } }): Promise<void> => {
      tries.push(miner.cpuThreads)
      if (tries.length === 1) throw new Error('busy')
    }
    const live = new LiveSettings(settings, [{ keys: ['miner.cpuThreads'], apply }])
    settings.set('miner.cpuThreads', '2', true)

    await expect(live.take()).rejects.toThrow('busy')
    await live.take()

    expect(tries).toEqual([2, 2])
  })

  it('set the log level of every thread', async () => {
    const level = new SharedLevel()
    level.set('info')
    const settings = opened()
    const trades = { miner: null, node: null, practice: null, money: null }
    const live = new LiveSettings(settings, liveParts({ trades, level, log: silentLogger }))

    settings.set('app.logLevel', 'debug', true)
    await live.take()

    expect(new SharedLevel(level.buffer).level).toBe('debug')
  })

  it("are those in the catalog, except for the window's", () => {
    const trades = { miner: null, node: null, practice: null, money: null }
    const parts = liveParts({ trades, level: new SharedLevel(), log: silentLogger })
    const marked = ENTRIES.filter(({ option }) => option.applies === 'live').map(({ key }) => key)

    const taken = parts.flatMap(({ keys }) => keys)
    const own = (key: string): boolean => key.startsWith('desktop.') || key === 'app.welcome'
    expect(new Set(taken)).toEqual(new Set(marked.filter((key) => !own(key))))
  })
})
