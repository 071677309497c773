// A file that need not be there.
import { readFileSync } from 'node:fs'

/** Its whole text; null when it is missing or can't be read. */
export function textOrNull(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}
