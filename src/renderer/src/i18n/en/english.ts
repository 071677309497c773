// The English texts on this page: those of the shell and the first screen immediately, the rest with the first part
// that needs them. Every other language falls back to them.
import type { Catalogue } from './all'
import { firstTexts } from './first'

const texts: Record<string, string> = { ...firstTexts }

/** What is loaded so far. */
export const english: Catalogue = texts

/** Resolves when all English texts are there. @throws when the program's files are gone */
export async function loadEnglish(): Promise<void> {
  Object.assign(texts, (await import('./all')).allTexts)
}
