// Just enough parsing of TypeScript for the style checks: comments and strings blanked out, brackets matched. Lengths
// and line breaks are preserved, so every position is the file's.

/** The text with comments (and, unless kept, the contents of strings) replaced by blanks. */
export function withoutComments(text, { keepStrings = false } = {}) {
  const out = [...text]
  let at = 0
  while (at < text.length) {
    const end = tokenEnd(text, at)
    const isComment = text.startsWith('//', at) || text.startsWith('/*', at)
    const isString = '\'"`'.includes(text[at])
    if (isComment) blank(out, at, end)
    else if (isString && !keepStrings) blank(out, at + 1, end - 1)
    else if (end - at > 1 && text[at] === '/') blank(out, at + 1, end - 1)
    at = end
  }
  return out.join('')
}

/** 1-based line of a position. */
export function lineAt(text, position) {
  return text.slice(0, position).split('\n').length
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

function blank(out, from, to) {
  for (let i = from; i < to; i++) if (out[i] !== '\n') out[i] = ' '
}
