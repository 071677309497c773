// npm run site [-- FOLDER]: the documents as pages for a browser, below dist/site: README, guides, references, and what they link to.
// Nothing in them is loaded from elsewhere or counts visits, and only the search runs; they work from any server and from a disk.
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, posix, resolve } from 'node:path'
import { ROOT, runTool, ToolError } from '../lib/project.mjs'
import { ensurePackages } from '../lib/set-up.mjs'
import { navigationOf, readDocument } from './document.mjs'
import { pageText, SEARCH, STYLE } from './page-text.mjs'
import { searchPage } from './search.mjs'

/** Everything linked from here, directly or not, is part of the site. */
const FIRST = 'README.md'
/** Pages that `npm run docs` makes. */
const REFERENCE = 'docs/reference/'

/** A page keeps its folder and name and ends in `.html`; the first page is the folder's own. */
function addressOf(path) {
  return path === FIRST ? 'index.html' : path.replace(/\.md$/, '.html')
}

/**
 * Writes the site into a folder, which is emptied first.
 * @param {string} folder absolute
 * @returns {{ pages: number, bytes: number }} `bytes`: of all files
 * @throws ToolError where a page links to something that isn't there
 */
export function makeSite(folder, root = ROOT) {
  const documents = new Map()
  const files = new Set()
  const waiting = [FIRST]
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (documents.has(path)) continue
    const document = readDocument(readFileSync(join(root, path), 'utf8'), (link) =>
      target(path, link, { waiting, files, root }),
    )
    documents.set(path, document)
  }
  rmSync(folder, { recursive: true, force: true })
  const references = [...documents.keys()].filter((path) => path.startsWith(REFERENCE)).sort()
  const links = references.map((path) => ({ href: addressOf(path), text: path.slice(REFERENCE.length, -'.md'.length) }))
  const navigation = [...navigationOf(documents.get(FIRST)), { name: 'reference', links }]
  let bytes = put(folder, 'style.css', STYLE)
  for (const [path, document] of [...documents].sort())
    bytes += put(folder, addressOf(path), pageText({ address: addressOf(path), document, navigation }))
  const found = new Map([...documents].sort().map(([path, document]) => [addressOf(path), document]))
  bytes += put(folder, SEARCH, searchPage(found, navigation))
  for (const path of [...files].sort()) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(join(root, path), join(folder, path))
    bytes += statSync(join(folder, path)).size
  }
  return { pages: documents.size, bytes }
}

/** Where a link of a page leads within the site. What it leads to becomes part of it. */
function target(from, link, { waiting, files, root }) {
  if (/^(?:https?|mailto):/.test(link)) return link
  const [file, anchor] = link.split('#')
  const fragment = anchor === undefined ? '' : `#${anchor}`
  if (file === '') return fragment
  const path = posix.normalize(posix.join(posix.dirname(from), file))
  if (path.startsWith('../') || statSync(join(root, path), { throwIfNoEntry: false })?.isFile() !== true)
    throw new ToolError(`${from} links to ${link}, which is no file of the project`)
  if (path.endsWith('.md')) waiting.push(path)
  else files.add(path)
  return posix.relative(posix.dirname(addressOf(from)), addressOf(path)) + fragment
}

function put(folder, path, text) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
  return Buffer.byteLength(text)
}

if (process.argv[1]?.endsWith('site.mjs')) {
  await runTool(async () => {
    const [place = 'dist/site', ...more] = process.argv.slice(2)
    if (more.length > 0 || place.startsWith('-')) throw new ToolError('npm run site [-- FOLDER]')
    await ensurePackages((line) => console.log(line))
    const folder = resolve(ROOT, place)
    const { pages, bytes } = makeSite(folder)
    console.log(`${pages} pages, ${(bytes / 1e6).toFixed(1)} MB: ${join(folder, 'index.html')}`)
  })
}
