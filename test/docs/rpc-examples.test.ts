// The examples of docs/reference/rpc.md against a real node over HTTP, in their order: each method has one, and what it
// answers is what the page says. RPC_EXAMPLES=write records the answers.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasSolc } from '../../src/node/compile/serve-compiler'
import { createMethodTable } from '../../src/node/rpc/methods/all-methods'
import { ask } from '../json-rpc'
import { CaseNode, VECTORS } from '../node/rpc-cases/case-node'

interface Example {
  readonly method: string
  /** A text `$METHOD` stands for that method's answer, `$FOLDER` for a folder of the test. */
  readonly params: readonly unknown[]
  /** Its values differ from run to run: only their types are compared. */
  readonly varies?: true
  readonly needs?: 'solc'
  result?: unknown
  error?: unknown
}

const FILE = join(VECTORS, 'examples.json')
const examples = JSON.parse(readFileSync(FILE, 'utf8')) as readonly Example[]
const isRecording = process.env.RPC_EXAMPLES === 'write'
const isLeftOut = ({ needs }: Example): boolean => needs === 'solc' && !hasSolc(import.meta.dirname)

/** What stays the same of an answer whose values differ. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, shapeOf(item)]))
  return typeof value === 'string' && value.startsWith('0x') ? 'hex' : value === null ? 'null' : typeof value
}

describe('the examples of the JSON-RPC reference', () => {
  const server = new CaseNode(['personal', 'wallet', 'trace'])
  const folder = mkdtempSync(join(tmpdir(), 'headframe-rpc-examples-'))
  const answers = new Map<string, unknown>([['FOLDER', folder]])
  let url = ''
  beforeAll(async () => {
    await server.start()
    const at = server.node.rpcAddress()
    url = `http://${at?.host}:${at?.port}/`
  })
  afterAll(async () => {
    await server.stop()
    rmSync(folder, { recursive: true })
    if (isRecording) writeFileSync(FILE, `${JSON.stringify(examples, null, 1)}\n`)
  })

  const given = (param: unknown): unknown => {
    const [, name, rest] = typeof param === 'string' ? (/^\$(\w+)(.*)$/.exec(param) ?? []) : []
    if (name === undefined) return param
    const answer = answers.get(name)
    return rest === '' ? answer : `${String(answer)}${rest}`
  }
  const hidden = (answer: object): object => JSON.parse(JSON.stringify(answer).replaceAll(folder, '$FOLDER')) as object

  it.each(examples.filter((example) => !isLeftOut(example)))('$method', async (example) => {
    const { method, params, varies } = example
    const { result, error }: Pick<Example, 'result' | 'error'> = await ask(url, method, params.map(given))
    answers.set(method, result)
    const answer = hidden(error === undefined ? { result } : { error })
    if (isRecording) Object.assign(example, answer)
    const recorded = 'error' in example ? { error: example.error } : { result: example.result }
    if (varies) expect(shapeOf(answer)).toEqual(shapeOf(recorded))
    else expect(answer).toEqual(recorded)
  })

  it('are one for each method', () => {
    const methods = [...createMethodTable()].filter(([, { refusal }]) => refusal === undefined)
    expect(examples.map(({ method }) => method).sort()).toEqual(methods.map(([name]) => name).sort())
  })
})
