// A pseudo-language: the English texts with accents and about 40% longer, to reveal a layout that only fits English.
// It replaces a real language's file when the page loads it.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { BrowserContext } from 'playwright-core'
import { z } from 'zod'
import { ROOT } from './harness'

const catalogue = z.record(z.string(), z.string())

const longer: Readonly<Record<string, string>> = {
  a: 'áà',
  e: 'éè',
  i: 'íì',
  o: 'óò',
  u: 'úù',
  y: 'ýÿ',
  n: 'ñ',
  c: 'ç',
  s: 'š',
  A: 'ÁÀ',
  E: 'ÉÈ',
  I: 'ÍÌ',
  O: 'ÓÒ',
  U: 'ÚÙ',
  N: 'Ñ',
  C: 'Ç',
  S: 'Š',
}

/** The message with its words longer; values, plurals and choices unchanged. */
export function pseudo(message: string): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end } of literalsOf(parse(message, { ignoreTag: true, captureLocation: true }))) {
    parts.push(
      message.slice(at, start),
      message.slice(start, end).replace(/[a-zA-Z]/g, (letter) => longer[letter] ?? letter),
    )
    at = end
  }
  return [...parts, message.slice(at)].join('')
}

interface Range {
  readonly start: number
  readonly end: number
}

function literalsOf(elements: readonly MessageFormatElement[]): readonly Range[] {
  return elements.flatMap((element): readonly Range[] => {
    if (element.type === TYPE.plural || element.type === TYPE.select)
      return Object.values(element.options).flatMap((option) => literalsOf(option.value))
    if (element.type !== TYPE.literal || element.location === undefined) return []
    return [{ start: element.location.start.offset, end: element.location.end.offset }]
  })
}

/** From now on, pages of the context that choose German get the pseudo-locale. */
export async function speakPseudo(context: BrowserContext): Promise<void> {
  const english = ['en', 'en-first', 'en-findings'].map((name) =>
    join(ROOT, `src/renderer/src/i18n/texts/${name}.json`),
  )
  const messages = english.flatMap((file) => Object.entries(catalogue.parse(JSON.parse(readFileSync(file, 'utf8')))))
  const texts = Object.fromEntries(messages.map(([key, message]) => [key, pseudo(message)]))
  await context.route(/\/assets\/de-texts-[^/]+\.js$/, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `export default ${JSON.stringify(texts)}` }),
  )
}
