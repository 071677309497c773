import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Secret } from '../../base/secret'
import { FakeClock } from '../../base/testing/fake-clock'
import { resolveConfig } from '../../config/resolve'
import type { FileText } from '../../config/resolved-config'
import { type PoolUrl, parsePoolUrl } from '../../config/values/pool-url'
import { PoolList } from '../../miner/pool/pool-list'
import type { PoolSource } from '../../miner/pool/pool-source'
import { ConfigSettings } from '../settings/config-settings'
import { PoolSettings } from './pool-settings'

const readFile = (path: string): FileText => {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch {
    return { missing: true }
  }
}

const urlOf = (text: string): PoolUrl => {
  const outcome = parsePoolUrl(text)
  if ('fault' in outcome) throw new Error(outcome.fault)
  return outcome.url
}

const FRESH = {
  diagnosis: null,
  tries: 0,
  nextTryAt: null,
  connectedAt: null,
  difficulty: null,
  latency: null,
  shares: { accepted: 0, rejected: 0, lost: 0 },
  lastSwitch: null,
} as const

const FIRST = 'stratum+tcp://me.rig:hidden@one.example:1'
const SECOND = 'stratum+tcp://me@two.example:2'
const THIRD = 'stratum+tls://me:secret@three.example:3'

/** The list without its connections. */
function listOf(texts: readonly string[]): Pick<PoolSource, 'pools' | 'add' | 'remove' | 'move' | 'replace'> {
  const list = new PoolList(texts.map(urlOf), new FakeClock())
  return {
    pools: () =>
      list.entries.map(({ url }, index) => ({
        index,
        active: index === 0,
        url,
        state: 'idle',
        lastFault: '',
        ...FRESH,
      })),
    add: (url, to) => void list.add(url, to),
    replace: (index, url) => void list.replace(index, url),
    remove: (index) => list.remove(index),
    move: (index, to) => list.move(index, to),
  }
}

describe('pool settings', () => {
  const clock = new FakeClock()
  let dir = ''
  let file = ''
  const entered: string[] = []
  const settings = (argv: readonly string[] = []): ConfigSettings => {
    const surroundings = { platform: 'linux', environment: {}, homeDir: '/h', workingDir: '/' }
    const config = resolveConfig({ argv: ['run', '--datadir', dir, ...argv], surroundings, readFile, windowless: true })
    return new ConfigSettings({ config, surroundings, readFile })
  }
  const mining = (texts: readonly string[], argv: readonly string[] = [], exitAtEnd = false): PoolSettings =>
    new PoolSettings({
      pools: listOf(texts) as PoolSource,
      given: texts.map((text) => new Secret(text)),
      exitAtEnd,
      readPool: parsePoolUrl,
      settings: settings(argv),
      clock,
      onEntered: ({ user }) => void entered.push(user),
    })
  const solo = (): PoolSettings =>
    new PoolSettings({ pools: null, given: [], exitAtEnd: false, readPool: parsePoolUrl, settings: settings(), clock })
  const planning = (texts: readonly string[]): PoolSettings => {
    const poolSettings = solo()
    for (const text of texts) poolSettings.add(text)
    return poolSettings
  }
  const written = (): readonly string[] => settings().listInFile('pool.urls')

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headframe-pools-'))
    file = join(dir, 'config.toml')
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  it('writes the whole list with its passwords after each change', () => {
    const poolSettings = mining([FIRST, SECOND])

    expect(poolSettings.add(THIRD)).toEqual({ kept: true, reason: '' })
    expect(written()).toEqual([FIRST, SECOND, THIRD])
    poolSettings.move(2, 0)
    expect(written()).toEqual([THIRD, FIRST, SECOND])
    poolSettings.remove(1)
    expect(written()).toEqual([THIRD, SECOND])
  })

  it('tells who logs in at a pool that is entered, and nothing of one that is refused', () => {
    const poolSettings = mining([FIRST, SECOND])
    entered.length = 0
    poolSettings.add(THIRD.replace('me:', 'other:'))
    poolSettings.edit(1, 'stratum+tcp://changed@two.example:2')

    expect(() => poolSettings.add(FIRST)).toThrow()
    expect(entered).toEqual(['other', 'changed'])
  })

  it('keeps the word that ends the list', () => {
    mining([FIRST, SECOND], [], true).move(1, 0)

    expect(written()).toEqual([SECOND, FIRST, 'exit'])
  })

  it("changes the list in use and says that it won't be kept if it came from the command line", () => {
    const poolSettings = mining([SECOND], ['-P', SECOND])

    const answer = poolSettings.add(FIRST)

    expect(answer.kept).toBe(false)
    expect(answer.reason).toContain('command line')
    expect(answer.reason).not.toContain('hidden')
    expect(written()).toEqual([])
  })

  it('plans pools for the next start if this one mines for its own node', () => {
    const poolSettings = solo()
    const told: null[] = []
    poolSettings.events.on('plannedChanged', (value) => told.push(value))

    poolSettings.add(FIRST)
    poolSettings.add(SECOND)
    poolSettings.move(1, 0)

    expect(poolSettings.planned().map(({ host }) => host)).toEqual(['two.example', 'one.example'])
    expect(written()).toEqual([SECOND, FIRST])
    poolSettings.remove(0)
    poolSettings.remove(0)
    expect(poolSettings.planned()).toEqual([])
    expect(told).toHaveLength(5)
  })

  it('names what is wrong and changes nothing', () => {
    const poolSettings = solo()
    poolSettings.add(FIRST)

    expect(() => poolSettings.add('ftp://a:1')).toThrow(/unknown scheme/)
    expect(() => poolSettings.add(FIRST)).toThrow(/me\.rig:\*\*\*@one\.example:1 is in the list already/)
    expect(() => poolSettings.move(0, 1)).toThrow(/no pool 1 in a list of 1/)
    expect(written()).toEqual([FIRST])
  })

  it('changes the pool shown at a place, next to an unreadable one from the file', () => {
    const [poolSettings, started] = [solo(), settings()]
    const written = () => started.listInFile('pool.urls')
    expect(() => started.set('pool.urls', `nonsense ${FIRST}`, false)).toThrow(/nonsense is not a pool/)
    writeFileSync(file, `[pool]\nurls = ["nonsense", "${FIRST}", "${SECOND}", "${THIRD}"]\n`)

    expect(poolSettings.shown(0)).toContain('one.example')
    const { undo } = poolSettings.remove(0)
    expect(written()).toEqual(['nonsense', SECOND, THIRD])
    poolSettings.restore(undo)
    poolSettings.move(2, 0)
    expect(poolSettings.planned().map(({ host }) => host)).toEqual(['three.example', 'one.example', 'two.example'])
    poolSettings.edit(2, 'stratum+tcp://me@four.example:4')
    expect(written()).toEqual(['nonsense', THIRD, FIRST, 'stratum+tcp://me@four.example:4'])
    expect(() => poolSettings.remove(3)).toThrow(/no pool 3 in a list of 3/)
  })

  it('omits an unreadable file instead of failing the page', () => {
    const poolSettings = solo()
    writeFileSync(file, 'pool = [')

    expect(poolSettings.planned()).toEqual([])
    expect(() => poolSettings.add(FIRST)).toThrow()
  })

  it.each([
    ['in use', () => mining([FIRST, THIRD, SECOND])],
    ['planned', () => planning([FIRST, THIRD, SECOND])],
  ])('puts a removed pool back in its place with its password: %s', (_, make) => {
    const poolSettings = make()

    const { undo } = poolSettings.remove(1)
    expect(written()).toEqual([FIRST, SECOND])
    poolSettings.restore(undo)

    expect(written()).toEqual([FIRST, THIRD, SECOND])
    expect(() => poolSettings.restore(undo)).toThrow(/can no longer be undone/)
  })

  it('forgets a removed pool after a minute', () => {
    const poolSettings = mining([FIRST, SECOND])
    const { undo } = poolSettings.remove(1)

    clock.advance(60_000)

    expect(() => poolSettings.restore(undo)).toThrow(/can no longer be undone/)
    expect(written()).toEqual([FIRST])
  })

  it.each([
    ['in use', () => mining([FIRST, SECOND])],
    ['planned', () => planning([FIRST, SECOND])],
  ])('changes an address and keeps the masked password: %s', (_, make) => {
    const poolSettings = make()

    poolSettings.edit(0, 'stratum+tls://you.rig2:***@one.example:1')

    expect(written()).toEqual(['stratum+tls://you.rig2:hidden@one.example:1', SECOND])
  })

  it('never sends an untyped password to another host, or without its encryption', () => {
    const poolSettings = mining([FIRST, THIRD])

    expect(() => poolSettings.edit(0, 'stratum+tcp://me.rig:***@elsewhere.example:1')).toThrow(/type the password/)
    expect(() => poolSettings.edit(1, 'stratum+tcp://me:***@three.example:3')).toThrow(/type the password/)
    expect(() => poolSettings.filled('stratum+tcp://me.rig:***@one.example:2', 0)).toThrow(/type the password/)
    expect(written()).toEqual([])
  })

  it("doesn't change an address to one that is in the list or can't be parsed", () => {
    const poolSettings = planning([FIRST, SECOND])

    expect(() => poolSettings.edit(1, FIRST)).toThrow(/is in the list already/)
    expect(() => poolSettings.edit(1, 'ftp://a:1')).toThrow(/unknown scheme/)
    expect(() => poolSettings.edit(2, THIRD)).toThrow(/no pool 2 in a list of 2/)
    expect(written()).toEqual([FIRST, SECOND])
  })
})
