// Which pages are checked.
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Page, readPage } from './page'

export const ROOT = resolve(import.meta.dirname, '..', '..')

const ALONE = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'resources/monitoring/README.md']
const GUIDE = 'docs/guide'

/** The README, the guides, and what else a user reads. */
export function allPages(root = ROOT): readonly Page[] {
  const guides = readdirSync(join(root, GUIDE)).filter((name) => name.endsWith('.md'))
  return [...ALONE, ...guides.sort().map((name) => `${GUIDE}/${name}`)].map((path) => readPage(join(root, path), path))
}
