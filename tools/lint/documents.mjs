// What documents and comments name has to exist: paths, files, links, and every folder of src in docs/house.md.
import { posix } from 'node:path'
import { lineAt } from './source-text.mjs'

const ROOTS = /^(?:src|native|test|e2e|tools|docs|bin|resources)\//
const CODE_FILE = /(?<![\w./@-])((?:[\w.-]+\/)*[\w.-]+\.(?:md|tsx?|mjs|cpp|h|cl|cu))(?![\w/-])/g
const HOUSE = 'docs/house.md'
/** Headers of the system and of drivers, which aren't files of ours. */
const SYSTEM_HEADER = /\.(?:h|cl|cu)$/

/**
 * @param {string[]} files all of the project, relative, with slashes
 * @returns {(path: string, text: string) => { path: string, line: number, message: string }[]}
 */
export function documentChecker(files) {
  const known = new Set(files)
  const folders = new Set()
  for (const file of files)
    for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder)) folders.add(folder)
  const byEnd = new Map()
  for (const file of files) {
    const name = posix.basename(file)
    byEnd.set(name, [...(byEnd.get(name) ?? []), file])
  }
  const isPath = (path) => known.has(path) || folders.has(path.replace(/\/$/, ''))
  const isFile = (name) => (byEnd.get(posix.basename(name)) ?? []).some((file) => `/${file}`.endsWith(`/${name}`))

  return (path, text) => [
    ...(path.endsWith('.md') ? markdownFindings(path, text, { isPath, isFile }) : []),
    ...(path === HOUSE ? houseFindings(text, folders) : []),
    ...(/\.(?:tsx?|mjs|cpp|h|cl|cu)$/.test(path) ? commentFindings(path, text, isFile) : []),
  ]
}

function markdownFindings(path, text, { isPath, isFile }) {
  const findings = []
  const say = (index, message) => findings.push({ path, line: lineAt(text, index), message })
  for (const match of text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)) {
    const [, link] = match
    if (/^[a-z]+:/.test(link)) continue
    if (!isPath(posix.normalize(posix.join(posix.dirname(path), link)))) say(match.index, `${link} does not exist`)
  }
  for (const match of text.matchAll(/`([^`\n]+)`/g)) {
    const [, name] = match
    if (!/^[\w./-]+$/.test(name)) continue
    if (ROOTS.test(name) ? !isPath(name) : /^[\w-]+\.(?:tsx?|mjs|cpp)$/.test(name) && !isFile(name))
      say(match.index, `${name} does not exist`)
  }
  return findings
}

/** Every folder of src is named, in backticks with a slash at its end. */
function houseFindings(text, folders) {
  const named = new Set([...text.matchAll(/`(src\/[^`]*)\/`/g)].map(([, name]) => name))
  return [...folders]
    .filter((folder) => folder.startsWith('src/') && !folder.split('/').includes('testing') && !named.has(folder))
    .map((folder) => ({ path: HOUSE, line: 1, message: `the folder ${folder}/ is not described` }))
}

/** Files that a comment names. */
function commentFindings(path, text, isFile) {
  const findings = []
  for (const [comment, index] of commentsOf(text)) {
    for (const match of comment.matchAll(CODE_FILE)) {
      const [, name] = match
      if (isFile(name.replace(/^(?:\.{1,2}\/)+/, '')) || (SYSTEM_HEADER.test(name) && !name.includes('/'))) continue
      findings.push({ path, line: lineAt(text, index + match.index), message: `${name} does not exist` })
    }
  }
  return findings
}

/** Comments that fill a line or end one; text in strings is left alone by asking for white space before. */
function commentsOf(text) {
  return [...text.matchAll(/(?:^|\s)(\/\/[^\n]*|\/\*[\s\S]*?\*\/)/g)].map((match) => [
    match[1],
    match.index + match[0].length - match[1].length,
  ])
}
