import { describe, expect, it } from 'vitest'
import { languageTags } from '../../../base/language/languages'
import { type ShellWords, shellWords } from './words'

/** Every text; those with placeholders get distinguishable values. */
function textsOf(words: ShellWords): Readonly<Record<string, string>> {
  const { screens, ...rest } = words
  const told = Object.entries(rest).map(([name, text]) => {
    const speak = text as string | ((first: never, second: never) => string)
    return [name, typeof speak === 'string' ? speak : speak(11 as never, 22 as never)]
  })
  return Object.fromEntries([...told, ...Object.entries(screens).map(([name, text]) => [`screens.${name}`, text])])
}
const english = textsOf(shellWords('en'))

describe.each(languageTags)('the shell in %s', (tag) => {
  const texts = textsOf(shellWords(tag))

  it('has every text, with each of its values', () => {
    const lost = Object.entries(english).filter(
      ([name, text]) =>
        texts[name] === '' || ['11', '22'].some((value) => text.includes(value) && !texts[name]?.includes(value)),
    )
    expect(lost).toEqual([])
  })

  it('ends notifications and dialog sentences as its language does', () => {
    const unended = Object.entries(texts).filter(
      ([name, text]) => /^notice(?!More|Warning)/.test(name) && !/[.。]$/.test(text),
    )
    expect(unended).toEqual([])
  })

  it.skipIf(tag === 'en')('is a separate language', () => {
    const same = Object.keys(english).filter((name) => texts[name] === english[name])
    expect(same.length).toBeLessThan(20)
  })
})

describe('the language of the shell', () => {
  it.each([
    ['de-AT', 'Bearbeiten'],
    ['pt-PT', 'Editar'],
    ['es-419', 'Edición'],
    ['ru-UA', 'Правка'],
    ['zh-SG', '编辑'],
    ['zh-TW', 'Edit'],
    ['fr', 'Edit'],
    ['C', 'Edit'],
  ])('of a system in %s says %s', (locale, text) => {
    expect(shellWords(locale).menuEdit).toBe(text)
  })

  it('writes a fraction as its language does, and no value as a placeholder', () => {
    expect(shellWords('en').noticeDisk(0.5)).toContain(' 0.5 ')
    expect(shellWords('ru').noticeDisk(0.5)).toContain(' 0,5 ')
    expect(shellWords('en').noticeMore('{1}', 2)).toBe('{1} And 2 more.')
  })

  it('counts in Russian as Russian does', () => {
    const { approvals, quitRequests, noticeNode } = shellWords('ru')
    expect([1, 3, 12, 21].map((count) => approvals(count))).toEqual([
      'Ожидает 1 запрос…',
      'Ожидают 3 запроса…',
      'Ожидают 12 запросов…',
      'Ожидает 21 запрос…',
    ])
    expect([1, 2, 5].map((count) => quitRequests(count))).toEqual([
      '1 ожидающий запрос будет отклонён.',
      '2 ожидающих запроса будут отклонены.',
      '5 ожидающих запросов будут отклонены.',
    ])
    expect([1, 2, 5].map((count) => noticeNode(count))).toEqual([
      'Нода отстаёт на 1 блок.',
      'Нода отстаёт на 2 блока.',
      'Нода отстаёт на 5 блоков.',
    ])
  })
})
