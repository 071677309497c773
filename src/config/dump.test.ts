import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ENTRIES } from './catalog'
import { settingOf } from './describe'
import { configToml } from './dump'
import { resolveConfig } from './resolve'
import type { FileText, ResolvedConfig } from './resolved-config'
import { isInFile } from './sources/parse-toml'

function resolve(files: Readonly<Record<string, string>>, ...argv: readonly string[]): ResolvedConfig {
  const readFile = (path: string): FileText => {
    const text = files[path]
    return text === undefined ? { missing: true } : { text }
  }
  const surroundings = { platform: 'linux', environment: {}, homeDir: '/h', workingDir: '/w' }
  return resolveConfig({ argv, surroundings, readFile, windowless: true })
}

describe('the settings as a file', () => {
  it('omit defaults', () => {
    expect(configToml(resolve({}, 'dumpconfig'))).toBe(
      '# The settings that differ from the defaults, by headframe dumpconfig.\n',
    )
  })

  it("give the same settings when read back, for prlx's format", () => {
    const files = { '/p.toml': readFileSync('test/vectors/flags/prlx-full.toml', 'utf8') }
    const before = resolve(files, 'dumpconfig', '--config', '/p.toml')
    const text = configToml(before)
    const after = resolve({ '/own.toml': text }, 'dumpconfig', '--datadir', '/data/prlx', '--config', '/own.toml')
    const all = (config: ResolvedConfig) =>
      ENTRIES.filter(isInFile).map((entry) => [entry.key, settingOf(config, entry)] as const)

    expect(text).toContain('# only on the command line or in the environment: --datadir /data/prlx\n')
    expect(all(after)).toEqual(all(before))
  })

  it('keep secrets out', () => {
    const words = [
      '--api-token',
      'abcdefghijklmnop',
      '-P',
      'stratum+tcp://acct.r:hidden@h:1',
      '--nodekeyhex',
      'a'.repeat(64),
    ]
    const text = configToml(resolve({}, 'dumpconfig', ...words))

    expect(text).toContain('# urls is a secret and left out')
    expect(text).toContain('# token is a secret and left out')
    expect(text).not.toMatch(/hidden|abcdef|aaaa/)
    expect(configToml(resolve({}, 'dumpconfig', '-P', 'stratum+tcp://acct.r@h:1'))).toContain(
      'urls = ["stratum+tcp://acct.r@h:1"]',
    )
  })

  it("can't break out of a comment, whatever was typed", () => {
    const text = configToml(resolve({}, 'dumpconfig', '--datadir', '/d\n[node]\nhttp = true'))
    expect(resolve({ '/own.toml': text }, 'node', '--mainnet', '--config', '/own.toml').node.http).toBe(false)
  })
})
