import { describe, expect, it } from 'vitest'
import { messageOf } from '../../base/errors'
import { parseToml } from './parse-toml'

function failure(text: string): string {
  try {
    parseToml('c.toml', text)
  } catch (error) {
    return messageOf(error)
  }
  return 'no failure'
}

describe('the config file', () => {
  it('reads tables as sections, with the line of each key', () => {
    const values = parseToml('c.toml', '# mine\n[node]\nhttp-port = 1\n\n[api]\nhosts = ["a"]\n')

    expect(values.map(({ entry, value, line }) => [entry.key, value, line])).toEqual([
      ['node.httpPort', 1, 3],
      ['api.hosts', ['a'], 6],
    ])
  })

  it('reads dotted keys', () => {
    expect(parseToml('c.toml', 'miner.cpu-threads = 2').map(({ entry, line }) => [entry.key, line])).toEqual([
      ['miner.cpuThreads', 1],
    ])
  })

  it('reads an empty file as nothing', () => {
    expect(parseToml('c.toml', '')).toEqual([])
  })

  it('names file, line and column of a broken line', () => {
    expect(failure('[node]\nhttp-port = = 1\n')).toMatch(/^c\.toml:2:\d+: not TOML: [^\n]+$/)
  })

  it.each([
    ['[node]\nhttp-prot = 1\n', 'c.toml:2: unknown key node.http-prot; did you mean node.http-port?'],
    ['[nod]\nhttp = true\n', 'c.toml:1: unknown key nod; did you mean node?'],
    ['\ncpu-threads = 1\n', 'c.toml:2: unknown key cpu-threads; did you mean miner.cpu-threads?'],
    ['[app]\ndata-dir = "/d"\n', 'c.toml:2: unknown key app.data-dir'],
    ['node = 1\n', 'c.toml:1: unknown key node; did you mean node?'],
  ])('%j: %s', (text, message) => {
    expect(failure(text)).toBe(message)
  })
})
