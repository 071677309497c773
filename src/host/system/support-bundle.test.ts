import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { resolveConfig } from '../../config/resolve'
import { supportBundle } from './support-bundle'

const home = mkdtempSync(join(tmpdir(), 'headframe-home-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const config = resolveConfig({
  argv: [
    ...['run', '--practice', '--datadir', join(home, 'data')],
    ...['--pool', 'stratum+tcp://me:pool-password@pool.example:3333', '--api-token', 'token-of-twenty-letters'],
  ],
  surroundings: { platform: 'linux', environment: {}, homeDir: home, workingDir: home },
  readFile: () => ({ missing: true }),
  windowless: true,
})

const bundle = () =>
  supportBundle({
    config,
    info: {
      version: '1.2.3',
      network: 'practice',
      engine: { kind: 'native', simd: 'avx2', loadError: null },
      startedAt: 0,
    },
    services: [{ name: 'node', state: 'failed', reason: 'no room' }],
    lines: [
      { id: 1, at: 5, level: 'warn', module: 'miner', text: 'tried pool-password with token-of-twenty-letters' },
      { id: 2, at: 6, level: 'info', module: 'host', text: `opened ${home}/data/chain` },
    ],
    crashes: [`2026-01-01T00:00:00.000Z error host  unexpected failure at ${home}/x with pool-password`],
    now: 0,
    home,
  })

describe('the support bundle', () => {
  it('contains versions, what runs, settings with their source, and the last lines', () => {
    const { name, text } = bundle()

    expect(name).toBe('headframe-support-1970-01-01T00-00-00-000Z.txt')
    expect(text).toContain('headframe 1.2.3, network practice')
    expect(text).toContain('node: failed no room')
    expect(text).toMatch(/api\.token = \*\*\* {2}\(command line --api-token\)/)
    expect(text).toContain('[crashes]\n2026-01-01T00:00:00.000Z error host  unexpected failure at ~/x with ***')
    expect(text).toContain('1970-01-01T00:00:00.006Z info  host  opened ~/data/chain')
  })

  it("contains no secret, not even one in a log line, and not the user's home folder", () => {
    const { text } = bundle()

    expect(text).not.toContain('pool-password')
    expect(text).not.toContain('token-of-twenty-letters')
    expect(text).not.toContain(home)
    expect(text).toContain('tried *** with ***')
  })
})
