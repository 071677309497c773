// Whether an answer is the expected one, in the product profile: the intended differences are applied to the recording
// first.
import type { ExpectedAnswer, Step } from './case-file'
import { difference, isHolder, type Json, removeAt, replaceAt, short, valuesAt } from './json-paths'

export type Variables = Record<string, Json>

const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347'

/** Fills `${name}`, `${fill:N}` and `${repeat:N|text|}`. */
export function expand(text: string, variables: Variables): string {
  return text
    .replace(/\$\{fill:(\d+)\}/g, (_whole, count: string) => 'a'.repeat(Number(count)))
    .replace(/\$\{repeat:(\d+)\|(.*?)\|\}/g, (_whole, count: string, item: string) =>
      Array.from({ length: Number(count) }, () => item).join(','),
    )
    .replace(/\$\{(\w+)\}/g, (whole, name: string) => {
      const value = variables[name]
      if (value === undefined) return whole
      return typeof value === 'string' ? value : JSON.stringify(value)
    })
}

/** Why `have` doesn't match the step; null if it does. */
export function compareAnswer(step: Step, expected: ExpectedAnswer, have: string, variables: Variables): string | null {
  const wantText = expand(expected.text, variables)
  if (!/^\s*[[{]/.test(wantText)) return compareText(expected, wantText, have)
  const answer = parsed(have)
  if (answer === undefined) return `answer is no JSON: ${short(have)}`
  let want = JSON.parse(wantText) as Json
  for (const name of step.maps) applyMap(name, want)
  for (const { path, json } of expected.product) {
    want = replaceAt(want, path, json === null ? undefined : (JSON.parse(expand(json, variables)) as Json))
  }
  for (const { path, pattern } of expected.match) {
    const found = valuesAt(answer, path)
    if (found.length === 0) return `${path}: missing, want ${pattern}`
    const odd = found.find((value) => !pattern.test(typeof value === 'string' ? value : JSON.stringify(value)))
    if (odd !== undefined) return `${path}: ${short(odd)} does not match ${pattern}`
  }
  return comparePrepared(step, expected, want, answer)
}

/** Stores what later requests name. */
export function takeVariables(expected: ExpectedAnswer, have: string, variables: Variables): void {
  for (const { name, path } of expected.lets) {
    const [value] = valuesAt(JSON.parse(have) as Json, path)
    if (value !== undefined) variables[name] = value
  }
}

function comparePrepared(step: Step, expected: ExpectedAnswer, want: Json, have: Json): string | null {
  for (const path of [...expected.match.map((entry) => entry.path), ...expected.ignore]) {
    removeAt(want, path)
    removeAt(have, path)
  }
  for (const path of step.unordered) {
    for (const side of [want, have]) {
      for (const items of valuesAt(side, path)) if (Array.isArray(items)) sortByText(items)
    }
  }
  if (expected.only.length === 0) return difference(want, have)
  const picked = (side: Json): Json => expected.only.map((path) => valuesAt(side, path))
  return difference(picked(want), picked(have))
}

function compareText(expected: ExpectedAnswer, want: string, have: string): string | null {
  const isWhole = (path: string): boolean => path === '.' || path === '$'
  const odd = expected.match.find(({ path, pattern }) => isWhole(path) && !pattern.test(have))
  if (odd !== undefined) return `text does not match ${odd.pattern}: ${short(have)}`
  if (expected.ignore.some(isWhole) || want.trim() === have.trim()) return null
  return `want the text ${short(want)}, have ${short(have)}`
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

function sortByText(items: Json[]): void {
  items.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
}

/** Intended differences that affect many members of one answer. */
function applyMap(name: string, want: Json): void {
  if (name === 'heads') {
    for (const head of valuesAt(want, 'params.result'))
      if (isHolder(head)) Object.assign(head, { sha3Uncles: NO_UNCLES })
    return
  }
  eachObject(want, (object) => {
    if (name === 'blocks' && 'mixHash' in object && 'stateRoot' in object && 'parentHash' in object) {
      object.sha3Uncles = NO_UNCLES
      if ('transactions' in object) object.uncles = []
    }
    if (name === 'structlogs' && Array.isArray(object.structLogs))
      for (const entry of object.structLogs) structLog(entry)
  })
}

function structLog(entry: Json): void {
  if (!isHolder(entry) || Array.isArray(entry)) return
  const log = entry as Record<string, Json>
  if (Array.isArray(log.stack)) log.stack = log.stack.map((item) => String(item).replace(/^0x/, '').padStart(64, '0'))
  log.error ??= null
}

function eachObject(value: Json, act: (object: Record<string, Json>) => void): void {
  if (!isHolder(value)) return
  if (!Array.isArray(value)) act(value as Record<string, Json>)
  for (const inner of Object.values(value)) eachObject(inner, act)
}
