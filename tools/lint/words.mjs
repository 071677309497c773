// Checks the word list of docs/writing.md in everything users read: the window's texts, the desktop shell's, option
// help, error tables, inline error texts, the documents, and the texts of shipped resources.
import { lineAt } from './source-text.mjs'

const ROW = /^\| ([^|]+) \| ((?:`[^`]+`(?:, )?)+) \|$/gm
const PHRASE = /`([^`]+)`/g
/** Whose strings are texts. */
const TEXTS = [
  /^src\/renderer\/src\/i18n\/(?:texts\/en(?:-first)?|options\/en)\.json$/,
  /^src\/main\/shell\/words\/en\.json$/,
]
const ERRORS = /^src\/(?:[\w-]+\/)+errors\.ts$/
/** Where something is said in place: an error's text or the reason that a table's text takes in, a log line, what an option accepts. */
const PROGRAM = /^src\/(?!.*(?:\.test\.tsx?$|\.d\.ts$|\/testing\/|\/i18n\/)).*\.tsx?$/
const INLINE =
  /(?:new \w*Error\(|\breason[:=]|\breason = |\blog(?:ger)?\.(?:trace|debug|info|warn|error)\(|\b(?:accepted|message|detail):)\s*$/
/** Titles of tests. */
const TEST = /\.test\.tsx?$/
const TITLE = /\b(?:it|describe|test)(?:\.\w+)?(?:\([^()]*\))?\(\s*$/
/** Comments of the addon. */
const NATIVE = /^native\/(?:src|test)\/.*\.(?:rs|cpp|h)$/
const NATIVE_COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//g
/** What errors may say: they are logged, and programs parse them in prlx's wording. */
const ERRORS_MAY = new Set(['cannot', 'at most', 'could not be'])
const DOCUMENT = /^(?:README|SECURITY|CONTRIBUTING|CHANGELOG)\.md$|^docs\/(?!writing\.md$).*\.md$|^resources\/.*\.md$/
/** Besides these two, documents may use the code's words, and phrases that are only wrong in the window's short texts. */
const IN_WINDOW_ONLY = ['the most', 'ends in', 'can be spent', 'waits for your']
const DOCUMENTS_MAY = new Set([...ERRORS_MAY, ...IN_WINDOW_ONLY, 'dataset', 'new head', 'newest head'])
/** Shipped files, and forms, whose comments and descriptions people read. */
const RESOURCE =
  /^resources\/(?:(?:ansible|hiveos|mmpos|monitoring|server)\/.*(?:\.(?:conf|py|service|sh|toml|yml)|Dockerfile)|descriptors\/.*\.json)$|^\.github\/.*\.yml$|^test\/fixed-waits\.json$/
/** Fenced blocks and code in backticks: commands, names and output aren't prose. */
const CODE = /^ *```[^\n]*\n[\s\S]*?^ *```|`[^`\n]+`/gm
const HELP = /^src\/config\/options\/[\w-]+\.ts$/
const STRING = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g
/** Strings that are a text: what a key names, and what an option says about itself. */
const HELP_FIELD = /\b(?:help|danger|expected)\b/

/**
 * @param {string} document text of docs/writing.md
 * @returns {readonly { phrase: string, instead: string }[]}
 * @throws Error where the list is not to be found, so that a moved table does not switch the check off
 */
export function readWordList(document) {
  const rows = [...document.matchAll(ROW)].flatMap(([, instead, phrases]) =>
    [...phrases.matchAll(PHRASE)].map(([, phrase]) => ({ phrase, instead: instead.trim() })),
  )
  if (rows.length === 0) throw new Error('docs/writing.md: no word list; write rows as | write | `not` |')
  return rows
}

/**
 * @param {readonly { phrase: string, instead: string }[]} list
 * @returns {(path: string, text: string) => readonly { path: string, line: number, message: string }[]}
 */
export function wordChecker(list) {
  const patterns = list.map(({ phrase, instead }) => ({
    pattern: new RegExp(
      `(?<![\\w-])${phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/'/g, "['’]")}(?![\\w-])`,
      'i',
    ),
    message: `"${phrase}": write "${instead}"`,
    isForErrors: !ERRORS_MAY.has(phrase),
    isForDocuments: !DOCUMENTS_MAY.has(phrase),
  }))
  const any = new RegExp(patterns.map(({ pattern }) => pattern.source).join('|'), 'i')
  return (path, text) => {
    if (DOCUMENT.test(path) || RESOURCE.test(path)) return proseFindings(path, text, patterns)
    if (NATIVE.test(path)) return proseFindings(path, commentsAlone(text), patterns)
    const isHelp = HELP.test(path)
    const isErrors = ERRORS.test(path)
    const isInline = !isHelp && !isErrors && !TEXTS.some((pattern) => pattern.test(path))
    const place = TEST.test(path) ? TITLE : INLINE
    if (isInline && !PROGRAM.test(path) && place === INLINE) return []
    return [...text.matchAll(STRING)].flatMap((match) => {
      if (!any.test(match[0])) return []
      if (text.startsWith(':', match.index + match[0].length)) return [] // a key, not a text
      if (isHelp && !HELP_FIELD.test(fieldBefore(text, match.index))) return []
      if (isInline && !place.test(text.slice(Math.max(0, match.index - 80), match.index))) return []
      return patterns
        .filter(({ pattern, isForErrors, isForDocuments }) => {
          const isMeant = place === TITLE ? isForDocuments : isForErrors || !(isErrors || isInline)
          return isMeant && pattern.test(match[0])
        })
        .map(({ message }) => ({ path, line: lineAt(text, match.index), message }))
    })
  }
}

/** Every occurrence outside code; a phrase may continue on the next line. */
function proseFindings(path, text, patterns) {
  const prose = text.replace(CODE, (code) => code.replace(/[^\n]/g, ' '))
  return patterns
    .filter(({ isForDocuments }) => isForDocuments)
    .flatMap(({ pattern, message }) => {
      const anywhere = new RegExp(pattern.source.replaceAll(' ', '\\s+(?:# )?'), 'gi')
      return [...prose.matchAll(anywhere)].map(({ index }) => ({ path, line: lineAt(prose, index), message }))
    })
    .sort((one, other) => one.line - other.line)
}

/** The same text with everything but comments blank, so that lines keep their numbers. */
function commentsAlone(text) {
  let last = 0
  let kept = ''
  for (const { 0: comment, index } of text.matchAll(NATIVE_COMMENT)) {
    kept += text.slice(last, index).replace(/[^\n]/g, ' ') + comment
    last = index + comment.length
  }
  return kept + text.slice(last).replace(/[^\n]/g, ' ')
}

/** The name of the property that a string is the value of. */
function fieldBefore(text, at) {
  return /(\w+):\s*$/.exec(text.slice(Math.max(0, at - 80), at))?.[1] ?? ''
}
