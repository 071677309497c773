import { describe, expect, it } from 'vitest'
import { ENTRIES, flagNames } from './catalog'
import { effectiveSettings, optionsMarkdown } from './describe'
import { resolveConfig } from './resolve'
import type { ResolvedConfig } from './resolved-config'
import { COMMANDS } from './schema'

function resolve(...argv: string[]): ResolvedConfig {
  const surroundings = { platform: 'linux', environment: {}, homeDir: '/h', workingDir: '/w' }
  return resolveConfig({ argv, surroundings, readFile: () => ({ missing: true }), windowless: true })
}

describe('the catalog', () => {
  it('has unique keys, variables and config keys', () => {
    for (const name of ['key', 'environmentName', 'tomlKey'] as const) {
      const names = ENTRIES.map((entry) => entry[name])
      expect(new Set(names).size).toBe(names.length)
    }
  })

  it.each(COMMANDS)('has no spelling twice in %s', (command) => {
    const names = command === 'config' ? [] : flagNames(command).map(({ name }) => name)

    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
  })

  it('spells them out once: a start asks with every word of its command line', () => {
    expect(flagNames('run')).toBe(flagNames('run'))
  })

  it('takes the same kind of value for a spelling in every command', () => {
    const kinds = new Map<string, boolean>()
    for (const { name, entry, means } of flagNames(null)) {
      const takesValue = means === null && entry.option.type.form !== 'switch'
      expect([name, kinds.get(name) ?? takesValue]).toEqual([name, takesValue])
      kinds.set(name, takesValue)
    }
  })
})

describe('descriptions', () => {
  it('have a row for every option, and say what makes it dangerous', () => {
    const page = optionsMarkdown()

    for (const entry of ENTRIES) expect(page).toContain(`\`--${entry.option.flag}\``)
    expect(page).toContain('**Careful:** Without a token, every program on this computer can do so.')
  })

  it('list every setting with its source, secrets masked', () => {
    const settings = effectiveSettings(resolve('--api-token', 'very-secret-token', '--miner.recommit', '7500ms'))

    expect(settings).toHaveLength(ENTRIES.length)
    expect(settings).toContainEqual({ key: 'api.token', value: '***', source: 'command line --api-token' })
    expect(settings).toContainEqual({ key: 'node.recommit', value: '7500ms', source: 'command line --miner.recommit' })
    expect(settings).toContainEqual({ key: 'node.http-port', value: '8545', source: 'default' })
    expect(JSON.stringify(settings)).not.toContain('very-secret-token')
  })

  it('write every default in a form that can be read back', () => {
    const config = resolve()

    for (const { key, value } of effectiveSettings(config)) {
      const entry = ENTRIES.find((candidate) => candidate.tomlKey === key)
      if (value !== null && value !== '') expect([key, entry?.option.type.parse(value)]).not.toEqual([key, null])
    }
  })
})
