// The bans and limits of the style guide that Biome's linter doesn't cover.
import { closing, lineAt, onlyComments, splitTopLevel, withoutComments } from './source-text.mjs'

/** Only these places may read the clock or random numbers; everyone else gets them injected. */
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

/**
 * Fixed waits in tests: a time that is right on an idle computer is wrong on a busy one. Covers promises resolved only
 * by a timer, Playwright's wait, and Node's timer promises; a wait of 0 is a turn of the loop.
 */
const WAITS = [
  /\bnew Promise(?:<[^()]*>)?\(\s*(?:async\s*)?\(?\s*(\w+)[^()=]*\)?\s*=>\s*(?:\{\s*)?(?:void\s+)?setTimeout\(\s*(?:\(\)\s*=>\s*)?\1\b(?:\([^()]*\))?\s*,(?!\s*0\s*\))/g,
  /\.waitForTimeout\(/g,
  /\bimport\s*\{[^}]*\bsetTimeout\b[^}]*\}\s*from\s*'node:timers\/promises'/g,
]
/** Loops whose waits are let through: they end when something has happened, however long that takes. */
const POLLS = /\b(?:while\s*\(|for\s*\((?:\s*let\b|\s*;))/g
const FIXED_WAIT =
  'a fixed wait: await the event or move the injected clock (else a line with its reason in test/fixed-waits.json)'

/** Gives up after a second unless it is told otherwise. */
const HASTY = /\bvi\.wait(?:For|Until)\(/g
const HASTY_WAIT = 'vi.waitFor without a limit gives up after a second: give one that only ends what hangs'
/** What the other tests wait for something that never comes. */
const MIN_LIMIT_MS = 240_000
const SHORT_WAIT = `vi.waitFor gives up before a busy computer is done: ${MIN_LIMIT_MS} ms only end what hangs`

/** Findings about one file. `path` is relative to the project, with slashes. */
export function checkStyle(rules, path, text) {
  const code = withoutComments(text)
  const comments = onlyComments(text)
  const ban = banIn(path)
  return [
    ...checkHead(path, text),
    ...checkFunctions(rules, path, code),
    ...(path.startsWith('src/') ? checkSource(rules, path, { text, code }) : []),
    ...ban(code, /\.\.\.\{/g, 'members packed into a spread to save lines: write them one by one'),
    ...ban(text, /(?:^|[\s'"`(=])(\/(?:home|Users)\/\w[\w./-]*|[A-Z]:\\Users\\\w+)/g, "a path of somebody's machine"),
    ...ban(comments, /\bTODO\b(?!.*#\d)/g, 'TODO without an issue number'),
    ...ban(comments, /@ts-(?:ignore|nocheck)/g, 'a silenced type check'),
  ]
}

function checkSource(rules, path, { text, code }) {
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

function checkFunctions(rules, path, code) {
  if (isTestFile(path)) return [] // a describe block is a list of tests, not a function of its own
  const { functionLines } = bounds(rules, path)
  const findings = []
  for (const match of code.matchAll(FUNCTION)) {
    const open = match.index + match[0].length - 1
    const name = /([\w$]+)\s*(?:<[^()]*>)?\($/.exec(match[0])?.[1]
    if (name !== undefined && NOT_FUNCTIONS.has(name) && !/\bfunction\b/.test(match[0])) continue
    const end = closing(code, open)
    const body = bodyAt(code, end)
    if (body === null) continue
    const length = linesOf(code.slice(open, closing(code, body) + 1))
    if (length > functionLines)
      findings.push({
        path,
        line: lineAt(code, open),
        message: `a function of ${length} lines, at most ${functionLines}`,
      })
  }
  return findings
}

/** Lines of a function. One that only hands a value on (`name,` or `name: value,`) is data and doesn't count. */
function linesOf(code) {
  return code.split('\n').filter((line) => !/^\s*[\w$]+(?:: [^(){}=]+)?,$/.test(line)).length
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

/**
 * Fixed waits of one file, where tests use it.
 * @param {readonly { file: string, count: number, reason: string }[]} allowed waits that must remain
 * @param {string} path relative to the project, with slashes
 * @returns {{ path: string, line: number, message: string }[]} each wait that is one too many, or the entry that allows too many
 */
export function checkWaits(allowed, path, text) {
  if (!/^(?:test|e2e)\//.test(path) && !isTestFile(path) && !path.includes('/testing/')) return []
  const code = withoutComments(text, { keepStrings: true })
  const bare = withoutComments(text)
  const loops = loopsOf(bare)
  const places = WAITS.flatMap((pattern) => [...code.matchAll(pattern)].map(({ index }) => index))
    // What a string holds is a sample or another program's text.
    .filter((at) => bare[at] === text[at] && !loops.some(([from, to]) => from < at && at < to))
    .sort((a, b) => a - b)
  const hasty = [...bare.matchAll(HASTY)].flatMap(({ index, 0: head }) => {
    const open = index + head.length - 1
    const message = hasteOf(splitTopLevel(bare.slice(open + 1, closing(bare, open)))[1])
    return message === null ? [] : [{ path, line: lineAt(text, index), message }]
  })
  const { count = 0 } = allowed.find(({ file }) => file === path) ?? {}
  if (places.length < count)
    return [
      ...hasty,
      { path, line: 1, message: `test/fixed-waits.json allows ${count} fixed waits here, there are ${places.length}` },
    ]
  return [...hasty, ...places.slice(count).map((at) => ({ path, line: lineAt(text, at), message: FIXED_WAIT }))]
}

/** What is wrong with the limit of a wait, the number itself or `timeout` of options; a name says what it is where it is defined. */
function hasteOf(limit) {
  if (limit === undefined) return HASTY_WAIT
  const number = /^\s*(?:\{.*\btimeout:\s*)?(\d[\d_]*)\b/s.exec(limit)?.[1]
  return number !== undefined && Number(number.replaceAll('_', '')) < MIN_LIMIT_MS ? SHORT_WAIT : null
}

/** Entries whose file is gone or that give no reason. */
export function checkAllowedWaits(allowed, files) {
  return allowed
    .filter(({ file, reason }) => !files.includes(file) || (reason ?? '').length < 10)
    .map(({ file }) => ({ path: 'test/fixed-waits.json', line: 1, message: `${file}: no such file, or no reason` }))
}

/** From the head of each polling loop to the end of its body. */
function loopsOf(code) {
  return [...code.matchAll(POLLS)].map(({ index, 0: head }) => {
    const end = closing(code, index + head.indexOf('('))
    const body = /^\s*\{/.exec(code.slice(end + 1))
    if (body !== null) return [index, closing(code, end + body[0].length)]
    return [index, endOfStatement(code, end + 1)]
  })
}

/** Of a body without braces: the first line break outside brackets. */
function endOfStatement(code, from) {
  let at = from
  while (/\s/.test(code[at] ?? '')) at++
  for (; at < code.length && code[at] !== '\n'; at++) if ('([{'.includes(code[at])) at = closing(code, at)
  return at
}
