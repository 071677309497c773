// The bounds of the style guide for C++: length of files, of functions, and their parameters. clang-format and the
// compiler know the rest.

const NOT_FUNCTIONS =
  /^(?:namespace|class|struct|enum|union|extern|if|for|while|switch|do|else|try|catch|return|using|typedef)\b/

const VALUE = Symbol('a value in braces')

/**
 * @param {{ bounds: { fileLines: number, functionLines: number, parameters: number } }} rules
 * @returns {{ path: string, line: number, message: string }[]}
 */
export function checkCppStyle({ bounds }, path, text) {
  const lines = text.split('\n').length - 1
  const tooLong =
    lines > bounds.fileLines ? [{ path, line: 1, message: `${lines} lines, ${bounds.fileLines} at most` }] : []
  return [...tooLong, ...cppFunctions(text).flatMap((found) => findingsOf(bounds, path, found))]
}

function findingsOf(bounds, path, { name, line, lines, parameters }) {
  return [
    ...(lines > bounds.functionLines
      ? [{ path, line, message: `${name}: ${lines} lines, a function has ${bounds.functionLines} at most` }]
      : []),
    ...(parameters > bounds.parameters
      ? [
          {
            path,
            line,
            message: `${name}: ${parameters} parameters, ${bounds.parameters} at most: more go into a struct`,
          },
        ]
      : []),
  ]
}

/** Definitions of functions and cases of tests, but for lambdas, which are part of what holds them. */
export function cppFunctions(text) {
  const code = blanked(text)
  const found = []
  const open = []
  let from = 0
  for (let at = 0; at < code.length; at++) {
    const c = code[at]
    // A value in braces, as in a constructor's list, stands right behind its name, a body behind a blank.
    if (c === '{' && /[\w>]/.test(code[at - 1])) open.push(VALUE)
    else if (c === '{') {
      const header = code.slice(from, at).trim()
      const isInside = open.some((scope) => scope !== null && scope !== VALUE)
      open.push(isInside ? null : functionOf(header, from + code.slice(from, at).search(/\S/), code))
      from = at + 1
    } else if (c === '}') {
      const scope = open.pop()
      if (scope === VALUE) continue
      if (scope) found.push({ ...scope, lines: lineOf(code, at) - scope.line + 1 })
      from = at + 1
    } else if (c === ';') from = at + 1
  }
  return found
}

/** Null where the brace opens something else. */
function functionOf(header, start, code) {
  // Macros that stand alone in front of a definition aren't part of it.
  const head = header.replace(
    /^(?:(?:public|private|protected):\s*|[A-Z_]{4,}\([^)]*\)\s+(?=namespace|struct|class|template|void|static))+/,
    '',
  )
  if (NOT_FUNCTIONS.test(head.replace(/^template\s*<[^{]*?>\s*(?=\w)/, ''))) return null
  const call = /(~?[\w:]+|operator\s*\S+?)\s*\(/.exec(head.replace(/__attribute__\s*\(\(.*?\)\)/g, ''))
  if (call === null || /=\s*$/.test(head)) return null
  const line = lineOf(code, start)
  if (call[1] === 'TEST_CASE') return { name: 'TEST_CASE', line, parameters: 0 }
  const list = balanced(head, head.indexOf('(', head.indexOf(call[1]) + call[1].length - 1))
  if (list === null) return null
  // What a foreign library is called with is not ours to choose.
  return head.startsWith('EXPORT ')
    ? { name: call[1], line, parameters: 0 }
    : { name: call[1], line, parameters: countParameters(list) }
}

/** What is between the parenthesis at `open` and its other half; null where there is none. */
function balanced(text, open) {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++
    else if (text[at] === ')' && --depth === 0) return text.slice(open + 1, at)
  }
  return null
}

function countParameters(list) {
  if (list.trim() === '' || list.trim() === 'void') return 0
  let depth = 0
  let count = 1
  for (const c of list) {
    if ('(<[{'.includes(c)) depth++
    else if (')>]}'.includes(c)) depth--
    else if (c === ',' && depth === 0) count++
  }
  return count
}

const lineOf = (text, at) => text.slice(0, at).split('\n').length

/** Comments, strings and the preprocessor's lines as blanks, line by line as they were. */
function blanked(text) {
  const blank = (part) => part.replace(/[^\n]/g, ' ')
  return text.replace(
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|(?<![\dA-Fa-f])'(?:\\.|[^'\\\n])+'|"(?:\\.|[^"\\\n])*"/gm,
    blank,
  )
}
