import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../base/fake-clock'
import { Secret } from '../base/secret'
import { resolveConfig } from '../config/resolve'
import type { FileText } from '../config/resolved-config'
import { PoolList } from '../miner/pool/pool-list'
import type { PoolSource } from '../miner/pool/pool-source'
import { type PoolUrl, parsePoolUrl } from '../miner/pool/pool-url'
import { PoolKeeper } from './pool-keeper'
import { SettingsDesk } from './settings-desk'

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

const FIRST = 'stratum+tcp://me.rig:hidden@one.example:1'
const SECOND = 'stratum+tcp://me@two.example:2'
const THIRD = 'stratum+tls://me:secret@three.example:3'

/** The list without its connections. */
function listOf(texts: readonly string[]): Pick<PoolSource, 'pools' | 'add' | 'remove' | 'move'> {
  const list = new PoolList(texts.map(urlOf), new FakeClock())
  return {
    pools: () =>
      list.entries.map(({ url }, index) => ({ index, active: index === 0, url, state: 'idle', lastFault: '' })),
    add: (url) => list.add(url),
    remove: (index) => list.remove(index),
    move: (index, to) => list.move(index, to),
  }
}

describe('the keeper of pools', () => {
  let dir = ''
  let file = ''
  const settings = (argv: readonly string[] = []): SettingsDesk => {
    const surroundings = { platform: 'linux', environment: {}, homeDir: '/h', workingDir: '/' }
    const config = resolveConfig({ argv: ['run', '--datadir', dir, ...argv], surroundings, readFile, windowless: true })
    return new SettingsDesk({ config, surroundings, readFile })
  }
  const mining = (texts: readonly string[], argv: readonly string[] = [], exitAtEnd = false): PoolKeeper =>
    new PoolKeeper({
      pools: listOf(texts) as PoolSource,
      given: texts.map((text) => new Secret(text)),
      exitAtEnd,
      readPool: parsePoolUrl,
      settings: settings(argv),
    })
  const solo = (): PoolKeeper =>
    new PoolKeeper({ pools: null, given: [], exitAtEnd: false, readPool: parsePoolUrl, settings: settings() })
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

  it('leaves out a file that cannot be read instead of failing the page', () => {
    const keeper = solo()
    writeFileSync(file, 'pool = [')

    expect(keeper.planned()).toEqual([])
    expect(() => keeper.add(FIRST)).toThrow()
  })
})
