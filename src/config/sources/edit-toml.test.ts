import { describe, expect, it } from 'vitest'
import { type CatalogEntry, ENTRIES } from '../catalog'
import { editToml, tomlSource } from './edit-toml'
import { parseToml } from './parse-toml'

const entry = (key: string): CatalogEntry => {
  const found = ENTRIES.find((candidate) => candidate.key === key)
  if (found === undefined) throw new Error(`no option ${key}`)
  return found
}
const httpPort = entry('node.httpPort')
const httpApi = entry('rpc.httpApi')

describe('editing a config file', () => {
  it("starts an empty file with the value's table", () => {
    expect(editToml('', httpPort, '8600')).toBe('[node]\nhttp-port = 8600\n')
  })

  it('keeps comments, order and other tables when a value is replaced', () => {
    const text = '# mine\n[node]\n# the port\nhttp-port = 1 # old\nhttp = true\n\n[rpc]\nws = true\n'

    const edited = editToml(text, httpPort, '2')

    expect(edited).toBe('# mine\n[node]\n# the port\nhttp-port = 2\nhttp = true\n\n[rpc]\nws = true\n')
  })

  it('adds a new key at the end of its table, before the blank lines', () => {
    expect(editToml('[node]\nhttp = true\n\n[rpc]\nws = true\n', httpPort, '2')).toBe(
      '[node]\nhttp = true\nhttp-port = 2\n\n[rpc]\nws = true\n',
    )
  })

  it('appends a missing table', () => {
    expect(editToml('[node]\nhttp = true\n', entry('rpc.ws'), 'true')).toBe('[node]\nhttp = true\n\n[rpc]\nws = true\n')
  })

  it('removes a value, including a list over several lines with brackets in its strings', () => {
    const text = '[rpc]\nhttp-api = [\n  "eth", # ]\n  "net]",\n]\nws = true\n'

    expect(editToml(text, httpApi, null)).toBe('[rpc]\nws = true\n')
  })

  it("changes nothing if the key to remove isn't there", () => {
    expect(editToml('[node]\nhttp = true\n', httpPort, null)).toBe('[node]\nhttp = true\n')
    expect(editToml('', httpPort, null)).toBe('')
  })

  it("doesn't mistake the same key in another table for it", () => {
    const text = '[signer]\nhttp-port = 1\n\n[node]\nhttp = true\n'

    expect(editToml(text, httpPort, '2')).toBe('[signer]\nhttp-port = 1\n\n[node]\nhttp = true\nhttp-port = 2\n')
  })

  it('reads files with Windows line endings and quoted keys', () => {
    expect(editToml('["node"]\r\n"http-port" = 1\r\n', httpPort, '2')).toBe('["node"]\nhttp-port = 2\n')
  })

  it.each([['a "b" \\ c'], ['tab\there'], ['two\nlines'], ['\u0001\u007f'], ['ü 🚀']])(
    'writes %j so that it parses to the same value',
    (text) => {
      const file = editToml('', entry('signer.configDir'), tomlSource(text))

      expect(parseToml('f', file).map(({ value }) => value)).toEqual([text])
    },
  )
})
