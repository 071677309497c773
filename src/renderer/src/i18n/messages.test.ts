import { afterEach, describe, expect, it, vi } from 'vitest'
import { messageReader } from './messages'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('messages of a locale', () => {
  it("share the browser's objects for it, however many messages there are", () => {
    const made: unknown[] = []
    const construct = (target: typeof Intl.PluralRules, args: [string]): Intl.PluralRules => {
      made.push(args)
      return new target(...args)
    }
    vi.stubGlobal(
      'Intl',
      Object.assign(Object.create(Intl), { PluralRules: new Proxy(Intl.PluralRules, { construct }) }),
    )
    const asked = vi.spyOn(Intl.NumberFormat, 'supportedLocalesOf')
    const read = messageReader('ga')

    const texts = ['GPU', 'block', 'peer'].map((name) =>
      read(`{count, plural, one {# ${name}} two {two ${name}s} other {# ${name}s}}`),
    )

    expect(texts.map((text) => text({ count: 2 }))).toEqual(['two GPUs', 'two blocks', 'two peers'])
    expect(texts.map((text) => text({ count: 1 }))).toEqual(['1 GPU', '1 block', '1 peer'])
    expect(made).toHaveLength(1)
    expect(asked).toHaveBeenCalledTimes(1)
  })

  it('keep each locale’s own numbers and plural forms', () => {
    const source = '{count, plural, one {# блок} few {# блока} other {# блоков}}'

    expect(messageReader('ru')(source)({ count: 2 })).toBe('2 блока')
    expect(messageReader('en')(source)({ count: 2 })).toBe('2 блоков')
    expect(messageReader('de')('{n, number}')({ n: 1234.5 })).toBe('1.234,5')
    expect(messageReader('en')('{n, number}')({ n: 1234.5 })).toBe('1,234.5')
  })

  it('leave angle brackets as they are', () => {
    expect(messageReader('en')('a <b>{x}</b>')({ x: '<i>' })).toBe('a <b><i></b>')
  })
})
