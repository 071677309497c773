// The English texts on this page: those of the shell and the first screen immediately, the rest with the first part
// that needs them. Every other language falls back to them. ICU messages; a key names screen and item.
import type rest from './texts/en.json'
import type findings from './texts/en-findings.json'
import first from './texts/en-first.json'

export type TextKey = keyof typeof first | keyof typeof findings | keyof typeof rest
/** The messages of one language. A missing key falls back to English. */
export type Catalogue = Readonly<Partial<Record<TextKey, string>>>

const texts: Record<string, string> = { ...first }

/** What is loaded so far. */
export const english: Catalogue = texts

/** Resolves when all English texts are there. @throws when the program's files are gone */
export async function loadEnglish(): Promise<void> {
  const parts = await Promise.all([import('./texts/en.json'), import('./texts/en-findings.json')])
  for (const part of parts) Object.assign(texts, part.default)
}
