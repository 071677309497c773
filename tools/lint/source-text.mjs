// Just enough parsing of TypeScript for the style checks: comments and strings blanked out, brackets matched. Lengths
// and line breaks are preserved, so every position is the file's.

/** What may begin a comment, a string or a regular expression. */
const BEGINS = /['"`/]/g
/** The text read last: each check of a file asks for it. */
const latest = { text: '', bare: '', strings: '', comments: '' }

/** The text with comments (and, unless kept, the contents of strings) replaced by blanks. */
export function withoutComments(text, { keepStrings = false } = {}) {
  const { bare, strings } = read(text)
  return keepStrings ? strings : bare
}

/** The text with everything but comments replaced by blanks. */
export function onlyComments(text) {
  return read(text).comments
}

/** 1-based line of a position. */
export function lineAt(text, position) {
  let line = 1
  for (let at = text.indexOf('\n'); at >= 0 && at < position; at = text.indexOf('\n', at + 1)) line++
  return line
}

/** Position of the bracket that closes the one at `open`; the end of the text when there is none. */
export function closing(code, open) {
  const pairs = { '(': ')', '{': '}', '[': ']' }
  const close = pairs[code[open]]
  let depth = 0
  for (let i = open; i < code.length; i++) {
    if (code[i] === code[open]) depth++
    else if (code[i] === close && --depth === 0) return i
  }
  return code.length
}

/** Parts between commas at the outermost level; brackets and angle brackets nest. */
export function splitTopLevel(code) {
  const parts = []
  let depth = 0
  let start = 0
  for (let i = 0; i < code.length; i++) {
    if ('([{'.includes(code[i]) || (code[i] === '<' && /[\w]/.test(code[i - 1] ?? ''))) depth++
    else if (')]}'.includes(code[i]) || (code[i] === '>' && code[i - 1] !== '=' && depth > 0)) depth--
    else if (code[i] === ',' && depth === 0) {
      parts.push(code.slice(start, i))
      start = i + 1
    }
  }
  parts.push(code.slice(start))
  return parts.filter((part) => part.trim() !== '')
}

function read(text) {
  if (latest.text === text) return latest
  const parts = { bare: [], strings: [], comments: [] }
  const add = (bare, strings, comments) => {
    parts.bare.push(bare)
    parts.strings.push(strings)
    parts.comments.push(comments)
  }
  const addCode = (code) => add(code, code, blank(code))
  let from = 0
  for (let at = nextToken(text, 0); at < text.length; at = nextToken(text, at)) {
    const end = tokenEnd(text, at)
    const token = text.slice(at, end)
    at = end
    if (token === '/') continue // a division
    addCode(text.slice(from, end - token.length))
    from = end
    if (/^\/[/*]/.test(token)) add(blank(token), blank(token), token)
    else {
      const hollow = token.length < 2 ? token : `${token[0]}${blank(token.slice(1, -1))}${token.at(-1)}`
      add(hollow, token.startsWith('/') ? hollow : token, blank(token))
    }
  }
  addCode(text.slice(from))
  return Object.assign(
    latest,
    { text },
    Object.fromEntries(Object.entries(parts).map(([name, all]) => [name, all.join('')])),
  )
}

/** Where the next token may begin; the end of the text when there is none. */
function nextToken(text, from) {
  BEGINS.lastIndex = from
  return BEGINS.exec(text)?.index ?? text.length
}

function tokenEnd(text, at) {
  if (text.startsWith('//', at)) return orEnd(text, text.indexOf('\n', at))
  if (text.startsWith('/*', at)) return orEnd(text, text.indexOf('*/', at + 2), 2)
  if (text[at] === "'" || text[at] === '"') return quotedEnd(text, at)
  if (text[at] === '`') return templateEnd(text, at)
  if (text[at] === '/' && startsRegex(text, at)) return regexEnd(text, at)
  return at + 1
}

function orEnd(text, found, more = 0) {
  return found < 0 ? text.length : found + more
}

function quotedEnd(text, at) {
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === text[at] || text[i] === '\n') return i + 1
  }
  return text.length
}

/** A template with its expressions counts as one string. */
function templateEnd(text, at) {
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '`') return i + 1
    else if (text.startsWith('${', i)) i = expressionEnd(text, i + 2)
  }
  return text.length
}

function expressionEnd(text, at) {
  let depth = 1
  let i = at
  while (i < text.length) {
    const end = tokenEnd(text, i)
    if (text[i] === '{') depth++
    if (text[i] === '}' && --depth === 0) return i
    i = end
  }
  return text.length
}

/** A slash begins a regular expression where no value ends before it. */
function startsRegex(text, at) {
  // The end of a JSX element, or of its tag.
  if (text[at + 1] === '>' || text[at - 1] === '<') return false
  const before = text.slice(Math.max(0, at - 40), at).trimEnd()
  if (before === '') return true
  if (/\b(return|typeof|case|in|of|void|throw|await)$/.test(before)) return true
  return /[=(,:[!&|?{};+*%<>~^-]$/.test(before) && !/(\+\+|--)$/.test(before)
}

function regexEnd(text, at) {
  let inClass = false
  for (let i = at + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '\n') return at + 1
    else if (text[i] === '[') inClass = true
    else if (text[i] === ']') inClass = false
    else if (text[i] === '/' && !inClass) return i + 1
  }
  return at + 1
}

function blank(text) {
  return text.replace(/[^\n]+/g, (line) => ' '.repeat(line.length))
}
