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
    add: (url, to) => list.add(url, to),
    replace: (index, url) => void list.replace(index, url),
    remove: (index) => list.remove(index),
    move: (index, to) => list.move(index, to),
  }
}

describe('the keeper of pools', () => {
  const clock = new FakeClock()
  let dir = ''
  let file = ''
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
    })
  const solo = (): PoolSettings =>
    new PoolSettings({ pools: null, given: [], exitAtEnd: false, readPool: parsePoolUrl, settings: settings(), clock })
  const planning = (texts: readonly string[]): PoolSettings => {
    const keeper = solo()
    for (const text of texts) keeper.add(text)
    return keeper
  }
  const written = (): readonly string[] => settings().listInFile('pool.urls')

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headframe-pools-'))
    file = join(dir, 'config.toml')
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  it('writes the whole list with its passwords after each change', () => {
    const keeper = mining([FIRST, SECOND])

    expect(keeper.add(THIRD)).toEqual({ kept: true, reason: '' })
    expect(written()).toEqual([FIRST, SECOND, THIRD])
    keeper.move(2, 0)
    expect(written()).toEqual([THIRD, FIRST, SECOND])
    keeper.remove(1)
    expect(written()).toEqual([THIRD, SECOND])
  })

  it('keeps the word that ends the list', () => {
    mining([FIRST, SECOND], [], true).move(1, 0)

    expect(written()).toEqual([SECOND, FIRST, 'exit'])
  })

  it('changes the list in use and says that it is not kept where the command line gives it', () => {
    const keeper = mining([SECOND], ['-P', SECOND])

    const answer = keeper.add(FIRST)

    expect(answer.kept).toBe(false)
    expect(answer.reason).toContain('command line')
    expect(answer.reason).not.toContain('hidden')
    expect(written()).toEqual([])
  })

  it('plans pools for the next start where this one mines for its own node', () => {
    const keeper = solo()
    const told: null[] = []
    keeper.events.on('plannedChanged', (value) => told.push(value))

    keeper.add(FIRST)
    keeper.add(SECOND)
    keeper.move(1, 0)

    expect(keeper.planned().map(({ host }) => host)).toEqual(['two.example', 'one.example'])
    expect(written()).toEqual([SECOND, FIRST])
    keeper.remove(0)
    keeper.remove(0)
    expect(keeper.planned()).toEqual([])
    expect(told).toHaveLength(5)
  })

  it('names what is wrong and changes nothing', () => {
    const keeper = solo()
    keeper.add(FIRST)

    expect(() => keeper.add('ftp://a:1')).toThrow(/unknown scheme/)
    expect(() => keeper.add(FIRST)).toThrow(/me\.rig:\*\*\*@one\.example:1 is in the list already/)
    expect(() => keeper.move(0, 1)).toThrow(/no pool 1 in a list of 1/)
    expect(written()).toEqual([FIRST])
  })

  it('changes the pool that is shown at a place, beside one of the file that cannot be read', () => {
    const keeper = solo()
    settings().set('pool.urls', `nonsense ${FIRST} ${SECOND} ${THIRD}`, false)

    expect(keeper.shown(0)).toContain('one.example')
    const { undo } = keeper.remove(0)
    expect(written()).toEqual(['nonsense', SECOND, THIRD])
    keeper.restore(undo)
    keeper.move(2, 0)
    expect(keeper.planned().map(({ host }) => host)).toEqual(['three.example', 'one.example', 'two.example'])
    keeper.edit(2, 'stratum+tcp://me@four.example:4')
    expect(written()).toEqual(['nonsense', THIRD, FIRST, 'stratum+tcp://me@four.example:4'])
    expect(() => keeper.remove(3)).toThrow(/no pool 3 in a list of 3/)
  })

  it('leaves out a file that cannot be read instead of failing the page', () => {
    const keeper = solo()
    writeFileSync(file, 'pool = [')

    expect(keeper.planned()).toEqual([])
    expect(() => keeper.add(FIRST)).toThrow()
  })

  it.each([
    ['in use', () => mining([FIRST, THIRD, SECOND])],
    ['planned', () => planning([FIRST, THIRD, SECOND])],
  ])('puts a removed pool back to its place with its password: %s', (_, make) => {
    const keeper = make()

    const { undo } = keeper.remove(1)
    expect(written()).toEqual([FIRST, SECOND])
    keeper.restore(undo)

    expect(written()).toEqual([FIRST, THIRD, SECOND])
    expect(() => keeper.restore(undo)).toThrow(/can no longer be undone/)
  })

  it('forgets a removed pool after a minute', () => {
    const keeper = mining([FIRST, SECOND])
    const { undo } = keeper.remove(1)

    clock.advance(60_000)

    expect(() => keeper.restore(undo)).toThrow(/can no longer be undone/)
    expect(written()).toEqual([FIRST])
  })

  it.each([
    ['in use', () => mining([FIRST, SECOND])],
    ['planned', () => planning([FIRST, SECOND])],
  ])('changes an address and keeps the password that is shown masked: %s', (_, make) => {
    const keeper = make()

    keeper.edit(0, 'stratum+tls://you.rig2:***@one.example:1')

    expect(written()).toEqual(['stratum+tls://you.rig2:hidden@one.example:1', SECOND])
  })

  it('never sends a password that was not typed to another host, or without its encryption', () => {
    const keeper = mining([FIRST, THIRD])

    expect(() => keeper.edit(0, 'stratum+tcp://me.rig:***@elsewhere.example:1')).toThrow(/type the password/)
    expect(() => keeper.edit(1, 'stratum+tcp://me:***@three.example:3')).toThrow(/type the password/)
    expect(() => keeper.filled('stratum+tcp://me.rig:***@one.example:2', 0)).toThrow(/type the password/)
    expect(written()).toEqual([])
  })

  it('does not change an address to one that is in the list, or that cannot be read', () => {
    const keeper = planning([FIRST, SECOND])

    expect(() => keeper.edit(1, FIRST)).toThrow(/is in the list already/)
    expect(() => keeper.edit(1, 'ftp://a:1')).toThrow(/unknown scheme/)
    expect(() => keeper.edit(2, THIRD)).toThrow(/no pool 2 in a list of 2/)
    expect(written()).toEqual([FIRST, SECOND])
  })
})
