// Method signatures with the names of their parameters, as descriptors key them: `transfer(address to,uint256 value)`.
import { type MethodSignature, parseSignature, SignatureFault } from '../abi/signature'

/** A parameter; `members` of a tuple, or of the tuples in a list. */
export interface NamedInput {
  readonly name: string
  readonly members: readonly NamedInput[]
}

export interface NamedMethod {
  readonly method: MethodSignature
  readonly inputs: readonly NamedInput[]
}

const DEEPEST = 16
const TOKEN = /\s*([(),]|[^(),\s]+)/y

/** @throws SignatureFault */
export function parseNamedMethod(text: string): NamedMethod {
  const tokens = tokensOf(text)
  const name = tokens.shift() ?? ''
  const { canonical, inputs } = membersOf(tokens, 0)
  if (tokens.length > 0) throw new SignatureFault(`unexpected ${JSON.stringify(tokens[0])} behind the signature`)
  return { method: parseSignature(`${name}${canonical}`), inputs }
}

function tokensOf(text: string): string[] {
  const tokens: string[] = []
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) tokens.push(match[1] ?? '')
  return tokens
}

/** Consumes `( … )`. */
function membersOf(tokens: string[], depth: number): { readonly canonical: string; readonly inputs: NamedInput[] } {
  if (depth > DEEPEST) throw new SignatureFault(`tuples nested deeper than ${DEEPEST}`)
  expectToken(tokens, '(')
  const types: string[] = []
  const inputs: NamedInput[] = []
  if (tokens[0] === ')') tokens.shift()
  else {
    for (let next = ','; next !== ')'; next = tokens.shift() ?? '') {
      if (next !== ',') throw new SignatureFault(`expected ',' or ')', got ${JSON.stringify(next)}`)
      const isTuple = tokens[0] === '('
      const inner = isTuple ? membersOf(tokens, depth + 1) : null
      // A suffix after a tuple makes it a list.
      const type = inner === null ? (tokens.shift() ?? '') : tokens[0]?.startsWith('[') === true ? tokens.shift() : ''
      types.push(`${inner?.canonical ?? ''}${type}`)
      const name = /^[A-Za-z_]\w*$/.test(tokens[0] ?? '') ? (tokens.shift() ?? '') : ''
      inputs.push({ name, members: inner?.inputs ?? [] })
    }
  }
  return { canonical: `(${types.join(',')})`, inputs }
}

function expectToken(tokens: string[], wanted: string): void {
  const found = tokens.shift()
  if (found !== wanted) throw new SignatureFault(`expected '${wanted}', got ${JSON.stringify(found ?? 'the end')}`)
}
