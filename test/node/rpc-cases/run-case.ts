// Runs one case against a server and says what is wrong with its answers.
import type { CaseFile, HttpChanges, Step } from './case-file'
import { compareAnswer, expand, takeVariables, type Variables } from './compare'
import { type HttpAnswer, openWs, sendHttp, WsReader } from './connections'

export interface Server {
  readonly http: string
  readonly ws: string
  /** Directory of the vectors as the server sees it. */
  readonly vectors: string
}

/** Null if everything is as expected. */
export async function runCase(file: CaseFile, server: Server): Promise<string | null> {
  const variables: Variables = { VECTORS: server.vectors }
  if (file.ws === null) return runSteps(file, null, { server, variables })
  const opened = await openWs(server.ws, file.ws)
  const { refused } = file.ws
  if (!(opened instanceof WsReader)) return opened.refused === refused ? null : `upgrade refused: ${opened.refused}`
  try {
    if (refused !== undefined) return 'the upgrade should have been refused'
    return await runSteps(file, opened, { server, variables })
  } finally {
    opened.close()
  }
}

interface Run {
  readonly server: Server
  readonly variables: Variables
}

async function runSteps(file: CaseFile, ws: WsReader | null, run: Run): Promise<string | null> {
  for (const [index, step] of file.steps.entries()) {
    if (step.waitMs > 0) await new Promise((resolve) => setTimeout(resolve, step.waitMs))
    const fault = ws === null || step.http !== null ? await overHttp(step, run) : await overWs(step, ws, run)
    if (fault !== null) return file.steps.length === 1 ? fault : `step ${index + 1}: ${fault}`
  }
  return null
}

async function overWs(step: Step, ws: WsReader, { variables }: Run): Promise<string | null> {
  const body = expand(step.request, variables)
  if (body !== '') ws.send(body)
  if (step.closes) {
    const message = await ws.next()
    return message === null ? null : `want the connection closed, have ${message}`
  }
  for (const expected of step.answers) {
    const text = await ws.next()
    if (text === null) return 'the server closed the connection'
    const fault = compareAnswer(step, expected, text, variables)
    if (fault !== null) return fault
    takeVariables(expected, text, variables)
  }
  return null
}

async function overHttp(step: Step, { server, variables }: Run): Promise<string | null> {
  const changes = JSON.parse(expand(step.http ?? '{}', variables)) as HttpChanges
  const answer = await sendHttp(server.http, expand(step.request, variables), changes)
  if (answer.status !== step.status) return `HTTP status: want ${step.status}, have ${answer.status}`
  const headerFault = checkHeaders(step, answer)
  if (headerFault !== null) return headerFault
  for (const expected of step.answers) {
    const fault = compareAnswer(step, expected, answer.text, variables)
    if (fault !== null) return fault
    takeVariables(expected, answer.text, variables)
  }
  return null
}

function checkHeaders(step: Step, { headers }: HttpAnswer): string | null {
  const bare = (text: string): string => text.toLowerCase().replace(/\s/g, '')
  for (const { name, value } of step.headers) {
    const have = headers[name]
    if (have === undefined) return `header ${name}: missing`
    if (value !== '' && bare(String(have)) !== bare(value)) return `header ${name}: want ${value}, have ${have}`
  }
  const surplus = step.absentHeaders.find((name) => headers[name] !== undefined)
  return surplus === undefined ? null : `header ${surplus}: should be absent, have ${headers[surplus]}`
}
