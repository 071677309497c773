// The English texts as the page has them: those of the shell and the first screen at once, all others with the first part of
// the page that needs one. Every other language falls back to them.
import type { Catalogue } from './all'
import { firstTexts } from './first'

const texts: Record<string, string> = { ...firstTexts }

/** What there is by now. */
export const english: Catalogue = texts

/** Resolves when all English texts are there. @throws when the program's files are gone */
export async function loadEnglish(): Promise<void> {
  Object.assign(texts, (await import('./all')).allTexts)
}
