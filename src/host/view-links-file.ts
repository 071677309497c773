// The file of the view links: hashes of tokens, readable by its owner only, replaced whole.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { viewLinkSchema } from '../contract/view-links'
import { replaceOwnerFile } from './owner-file'

/** `hash`: SHA-256 of the token, 64 hex digits. */
const storedLinkSchema = viewLinkSchema.extend({ hash: z.string().regex(/^[0-9a-f]{64}$/) })
const fileSchema = z.object({ version: z.literal(1), links: z.array(storedLinkSchema).max(1_000) })

export type StoredLink = z.infer<typeof storedLinkSchema>

/** Nothing where there is no file. @throws when it is unreadable or not as it was written */
export function readLinks(file: string): readonly StoredLink[] {
  try {
    return fileSchema.parse(JSON.parse(readFileSync(file, 'utf8'))).links
  } catch (error: unknown) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

/** @throws the system's error */
export function writeLinks(file: string, links: readonly StoredLink[]): void {
  replaceOwnerFile(file, `${JSON.stringify({ version: 1, links }, null, 2)}\n`)
}
