// The bans and bounds of the style guide that the formatter's linter does not know.
import { closing, lineAt, splitTopLevel, withoutComments } from './source-text.mjs'

/** Reading the clock and dice belong to these places; everyone else gets them handed in. */
const CLOCK_FILES = [/^src\/base\/time\.ts$/, /^(tools|test|e2e|bin|native)\//, /\.test\.tsx?$/]
const FUNCTION =
  /\bfunction\s*\*?\s*[\w$]*\s*(?:<[^()]*>)?\(|(?:^|\n)[ \t]+(?:(?:async|static|override|private|protected|public|get|set)\s+)*\*?#?[\w$]+\s*(?:<[^()]*>)?\(|(?<![\w$.)\]])(?:async\s*)?\((?=[^;]*?\)\s*(?::[^=;{}]*)?=>)/g
const NOT_FUNCTIONS = new Set([
  'if',
  'for',
  'while',
  'switch',
  'catch',
  'return',
  'await',
  'super',
  'function',
  'import',
  'throw',
  'typeof',
])

/** Findings about one file. `path` is relative to the project, with slashes. */
export function checkStyle(rules, path, text) {
  const code = withoutComments(text)
  const withStrings = withoutComments(text, { keepStrings: true })
  const ban = banIn(path)
  return [
    ...checkHead(path, text),
    ...checkLength(rules, path, text),
    ...checkFunctions(rules, path, code),
    ...(path.startsWith('src/') ? checkSource(rules, path, { text, code, withStrings }) : []),
    ...ban(text, /(?:^|[\s'"`(=])(\/(?:home|Users)\/\w[\w./-]*|[A-Z]:\\Users\\\w+)/g, "a path of somebody's machine"),
    ...ban(onlyComments(text, withStrings), /\bTODO\b(?!.*#\d)/g, 'TODO without an issue number'),
    ...ban(onlyComments(text, withStrings), /@ts-(?:ignore|nocheck)/g, 'a silenced type check'),
  ]
}

function checkSource(rules, path, { text, code, withStrings }) {
  const ban = banIn(path)
  const isTest = isTestFile(path)
  const mayReadClock = CLOCK_FILES.some((pattern) => pattern.test(path))
  const { layers, names } = rules.browserGlobals
  const isHostSide = layers.some((name) => path.startsWith(`src/${name}/`))
  const browserGlobal = new RegExp(`(?<![\\w$.'"-])(?:${names.join('|')})\\s*[.[]`, 'g')
  return [
    ...(isTest
      ? []
      : ban(code, /(?:^|\n)(?:export\s+)?(?:let|var)\s/g, 'a module-level let: state belongs to an instance')),
    ...(mayReadClock
      ? []
      : ban(code, /\b(?:Date\.now|Math\.random)\(|new Date\(\)/g, 'the clock or dice: have them handed in')),
    // A comment inside says what is ignored and why.
    ...ban(text, /\bcatch\s*(?:\([^)]*\))?\s*\{\s*\}/g, 'an empty catch'),
    ...ban(code, /\bvi\.mock\(/g, 'module mocking'),
    ...(isHostSide ? ban(code, browserGlobal, 'a browser global') : []),
    ...ban(withStrings, /(?:^|\n)export \* from/g, 'a barrel: import from the file that has it'),
    ...ban(code, /\bas any\b|:\s*any\b/g, 'any'),
  ]
}

/** The first line says why the file exists. */
function checkHead(path, text) {
  if (isTestFile(path) || path.endsWith('.d.ts')) return [] // a test's name is that of its subject
  const first = text.startsWith('#!') ? text.split('\n')[1] : text.split('\n')[0]
  return /^(\/\/|\/\*)/.test(first ?? '')
    ? []
    : [{ path, line: 1, message: 'begin with a comment that says why the file exists' }]
}

function checkLength(rules, path, text) {
  const { fileLines } = bounds(rules, path)
  const lines = text.split('\n').length - 1
  return lines > fileLines ? [{ path, line: fileLines + 1, message: `${lines} lines, at most ${fileLines}` }] : []
}

function checkFunctions(rules, path, code) {
  const { functionLines, parameters } = bounds(rules, path)
  const findings = []
  for (const match of code.matchAll(FUNCTION)) {
    const open = match.index + match[0].length - 1
    const name = /([\w$]+)\s*(?:<[^()]*>)?\($/.exec(match[0])?.[1]
    if (name !== undefined && NOT_FUNCTIONS.has(name) && !/\bfunction\b/.test(match[0])) continue
    const end = closing(code, open)
    const body = bodyAt(code, end)
    if (body === null) continue
    const line = lineAt(code, open)
    const count = splitTopLevel(code.slice(open + 1, end)).length
    if (count > parameters) findings.push({ path, line, message: `${count} parameters, at most ${parameters}` })
    // A test file's describe block is a list of tests, not a function of its own.
    const length = lineAt(code, closing(code, body)) - line + 1
    if (length > functionLines && !isTestFile(path))
      findings.push({ path, line, message: `a function of ${length} lines, at most ${functionLines}` })
  }
  return findings
}

/** Where the body of a function begins whose parameters end at `end`; null when this was a call, or a body without braces. */
function bodyAt(code, end) {
  const match = /^\s*(?::[^;{}=]*)?(?:=>\s*)?\{/.exec(code.slice(end + 1, end + 400))
  if (match === null) return null
  const first = end + match[0].length
  // A result type in braces stands before the body.
  const behind = closing(code, first)
  const body = /^[^;{}=\n]*(?:=>\s*)?\{/.exec(code.slice(behind + 1, behind + 200))
  return match[0].includes(':') && body !== null ? behind + body[0].length : first
}

function isTestFile(path) {
  return /\.test\.tsx?$/.test(path)
}

/** A file's own bounds where layers.json lifts one, with a reason. */
function bounds(rules, path) {
  const lifted = rules.exceptions.filter((exception) => exception.file === path)
  return Object.assign({}, rules.bounds, ...lifted)
}

/** Finds every match of a pattern. */
function banIn(path) {
  return (code, pattern, message) =>
    [...code.matchAll(pattern)].map((match) => {
      const start = match.index + (match[0].length - match[0].trimStart().length)
      return { path, line: lineAt(code, start), message }
    })
}

/** Everything but the comments blanked out. */
function onlyComments(text, withoutThem) {
  return [...text].map((letter, at) => (letter === '\n' || withoutThem[at] !== letter ? letter : ' ')).join('')
}
