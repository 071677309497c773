// Everything that documents and comments name must exist: paths, files, links, sections, decisions, and every folder of
// src in docs/house.md.
import { posix } from 'node:path'
import { anchorOf } from '../site/anchors.mjs'
import { lineAt } from './source-text.mjs'

const ROOTS = /^(?:src|native|test|e2e|tools|docs|bin|resources)\//
const CODE_FILE = /(?<![\w./@-])((?:[\w.-]+\/)*[\w.-]+\.(?:md|tsx?|mjs|cpp|h|cl|cu|rs))(?![\w/-])/g
const DOCUMENT_FILE = /(?<![\w./@#(-])((?:[\w.-]+\/)*[\w-]+\.md)(?![\w/-])/g
/** A folder or file from the root on, in a comment. */
const ROOT_PATH = /(?<![\w./@-])((?:src|native|e2e|tools|docs|resources)\/[\w-]+(?:[./][\w-]+)*)(?![\w<$])/g
/** `docs/house.md section 6`, `[house.md](../house.md), section 4`. */
const SECTION = /([\w./-]+\.md)[`)]*,?\s(?:section\s)?(\d+)(?![\w.])/g
const DECISION = /(?<![\w-])decisions\/(\d{4})(?![\d-])/g
const HEADING = /^#{1,6} (.+)$/gm
const UPWARDS = /^(?:\.{1,2}\/)+/
/** Made by a build, and not in a checkout. */
const BUILT = /^native\/(?:build|prebuilds)(?:\/|$)/
const HOUSE = 'docs/house.md'
/** Headers of the system and of drivers, which aren't files of ours. */
const SYSTEM_HEADER = /\.(?:h|cl|cu)$/
const SLASH_COMMENTS = /\.(?:tsx?|mts|mjs|cjs|cpp|cc|c|h|cl|cuh?|rs|go|css)$/
const HASH_COMMENTS = /\.(?:py|sh|toml|ya?ml|gyp|service)$/

/**
 * @param {string[]} files all of the project, relative, with slashes
 * @param {(path: string) => string} read the text of one of them; asked for documents only, for the sections they have
 * @returns {(path: string, text: string) => { path: string, line: number, message: string }[]}
 */
export function documentChecker(files, read) {
  const look = projectLook(files, read)
  return (path, text) => {
    const findings = path.endsWith('.md') ? markdownFindings(text, path, look) : commentFindings(text, path, look)
    return [
      ...findings.map(([index, message]) => ({ path, line: lineAt(text, index), message })),
      ...(path === HOUSE ? houseFindings(text, look.folders) : []),
    ]
  }
}

function projectLook(files, read) {
  const known = new Set(files)
  const folders = new Set()
  for (const file of files)
    for (let folder = posix.dirname(file); folder !== '.'; folder = posix.dirname(folder)) folders.add(folder)
  const byEnd = new Map()
  for (const file of files) {
    const name = posix.basename(file)
    byEnd.set(name, [...(byEnd.get(name) ?? []), file])
  }
  const filesNamed = (name) =>
    (byEnd.get(posix.basename(name)) ?? []).filter((file) => `/${file}`.endsWith(`/${name.replace(UPWARDS, '')}`))
  const headings = new Map()
  const headingsOf = (file) => {
    if (!headings.has(file))
      headings.set(
        file,
        [...read(file).matchAll(HEADING)].map(([, heading]) => heading),
      )
    return headings.get(file)
  }
  return {
    folders,
    headingsOf,
    filesNamed,
    isPath: (path) => known.has(path) || folders.has(path.replace(/\/$/, '')),
    isFile: (name) => filesNamed(name).length > 0,
    isDecision: (number) => files.some((file) => file.startsWith(`docs/decisions/${number}-`)),
  }
}

/** Position and message of each finding. */
function markdownFindings(text, path, look) {
  const { isPath, isFile, headingsOf } = look
  const findings = citationFindings(text, look)
  for (const { 1: link, 2: anchor, index } of text.matchAll(/\]\(([^)\s#]*)(?:#([^)]*))?\)/g)) {
    if (/^[a-z]+:/.test(link)) continue
    const target = link === '' ? path : posix.normalize(posix.join(posix.dirname(path), link))
    if (link !== '' && !isPath(target)) findings.push([index, `${link} does not exist`])
    else if (anchor !== undefined && !headingsOf(target).some((heading) => anchorOf(heading) === anchor))
      findings.push([index, `${link}#${anchor}: there is no such section`])
  }
  for (const { 1: name, index } of text.matchAll(/`([^`\n]+)`/g)) {
    if (!/^[\w./-]+$/.test(name)) continue
    if (ROOTS.test(name) ? !isPath(name) : /^[\w-]+\.(?:tsx?|mjs|cpp|rs)$/.test(name) && !isFile(name))
      findings.push([index, `${name} does not exist`])
  }
  for (const { 1: name, index } of text.matchAll(DOCUMENT_FILE))
    if (!isFile(name)) findings.push([index, `${name} does not exist`])
  return findings
}

/** Files, folders, sections and decisions that a comment names. */
function commentFindings(text, path, look) {
  return commentsOf(text, path).flatMap(([comment, start]) => {
    const findings = citationFindings(comment, look)
    const isKnown = (name) => look.isFile(name) || (SYSTEM_HEADER.test(name) && !name.includes('/'))
    for (const { 1: name, index } of comment.matchAll(CODE_FILE))
      if (!isKnown(name)) findings.push([index, `${name} does not exist`])
    for (const { 1: name, index } of comment.matchAll(ROOT_PATH))
      if (!BUILT.test(name) && !look.isPath(name) && !look.isPath(posix.join(posix.dirname(path), name)))
        findings.push([index, `${name} does not exist`])
    return findings.map(([index, message]) => [start + index, message])
  })
}

/** Sections and decisions that are cited by their number. */
function citationFindings(text, { filesNamed, headingsOf, isDecision }) {
  const findings = []
  for (const { 1: name, 2: number, index } of text.matchAll(SECTION)) {
    const [file] = filesNamed(name)
    if (file === undefined || !headingsOf(file).some((heading) => heading.startsWith(`${number}. `)))
      findings.push([index, `section ${number} of ${name} does not exist`])
  }
  for (const { 1: number, index } of text.matchAll(DECISION))
    if (!isDecision(number)) findings.push([index, `decisions/${number} does not exist`])
  return findings
}

/** Every folder of src is named, in backticks with a slash at its end. */
function houseFindings(text, folders) {
  const named = new Set([...text.matchAll(/`(src\/[^`]*)\/`/g)].map(([, name]) => name))
  return [...folders]
    .filter((folder) => folder.startsWith('src/') && !folder.split('/').includes('testing') && !named.has(folder))
    .map((folder) => ({ path: HOUSE, line: 1, message: `the folder ${folder}/ is not described` }))
}

/** Comments that fill a line or end one; text in strings is left alone by asking for white space before. */
function commentsOf(text, path) {
  const comments = SLASH_COMMENTS.test(path)
    ? /(?:^|\s)(\/\/[^\n]*|\/\*[\s\S]*?\*\/)/g
    : HASH_COMMENTS.test(path)
      ? /(?:^|\s)(#[^\n]*)/g
      : null
  if (comments === null) return []
  return [...text.matchAll(comments)].map((match) => [match[1], match.index + match[0].length - match[1].length])
}
