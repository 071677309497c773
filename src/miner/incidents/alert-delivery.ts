// Sends one message to one place. Whatever happens there ends in a text: empty when it arrived.
import { spawn } from 'node:child_process'
import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { messageOf } from '../../base/errors'
import { Secret } from '../../base/secret'
import type { AlertSink } from '../../config/values/alert-sink'
import { type Incident, incidentText, kindOf, laxOf } from './incident'

const LIMIT_MS = 15_000
const COMMAND_MS = 30_000
const MAX_ANSWER = 4_096
const MAX_FAULT = 200
/** Telegram's own limit is 4,096. */
const MAX_TEXT = 3_500

/** Why a message is sent. */
export type AlertEvent = 'began' | 'ended' | 'repeated' | 'escalated'

/** A message about one or more incidents. */
export interface AlertMessage {
  readonly event: AlertEvent
  /** this computer */
  readonly rig: string
  readonly network: string
  /** UTC ms */
  readonly at: number
  readonly title: string
  /** a few lines */
  readonly text: string
  readonly isUrgent: boolean
  readonly incidents: readonly Incident[]
}

/** `environment`: of a command; the program's own may hold secrets. */
export interface DeliveryDeps {
  readonly agent: string
  readonly environment: NodeJS.ProcessEnv
}

/** Loads what these places need: an update may take this version's files away while it runs. */
export async function loadDelivery(sinks: readonly AlertSink[]): Promise<void> {
  if (sinks.some(({ kind }) => kind === 'email')) await import('nodemailer')
}

/** What became of a message. */
export interface Delivery {
  /** why it failed, at most 200 characters; empty: it didn't */
  readonly fault: string
  /** someone got it, though others perhaps didn't: sending it again would only repeat it */
  readonly hasArrived: boolean
}

/** Resolves when it arrived or failed. */
export async function deliver(sink: AlertSink, message: AlertMessage, deps: DeliveryDeps): Promise<Delivery> {
  try {
    await send(sink, message, deps)
    return { fault: '', hasArrived: true }
  } catch (error: unknown) {
    const text = messageOf(error).replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    const fault = (withoutSecrets(text, sink) || 'failed').slice(0, MAX_FAULT)
    return { fault, hasArrived: error instanceof PartlyRefused }
  }
}

class PartlyRefused extends Error {}

/** What a webhook receives and a command reads, as documented in the guide. */
function alertJson({ event, rig, network, at, text, incidents }: AlertMessage): string {
  return JSON.stringify({
    program: 'headframe',
    format: 1,
    event: `incident.${event}`,
    rig,
    network,
    at,
    text,
    incidents: incidents.map((incident) => ({
      id: incident.id,
      cause: incident.cause,
      kind: kindOf(incident),
      level: incident.level,
      text: incidentText(incident),
      devices: incident.devices,
      pool: incident.pool,
      rig: incident.rig,
      values: incident.values,
      since: incident.since,
      until: incident.until,
      hashes: incident.hashes,
      lax: laxOf(incident),
      acknowledged: incident.acknowledgedAt !== null,
    })),
  })
}

function send(sink: AlertSink, message: AlertMessage, deps: DeliveryDeps): Promise<void> {
  const { title, isUrgent } = message
  const text = message.text.slice(0, MAX_TEXT)
  switch (sink.kind) {
    case 'webhook':
      return post(sink.url.reveal(), alertJson(message), { 'User-Agent': deps.agent })
    case 'ntfy': {
      const body = { topic: sink.topic.reveal(), title, message: text, priority: isUrgent ? 4 : 3, tags: ['pick'] }
      const login = sink.authorization === null ? {} : { Authorization: sink.authorization.reveal() }
      return post(`${sink.server}/`, JSON.stringify(body), { 'User-Agent': deps.agent, ...login })
    }
    case 'telegram': {
      const body = { chat_id: sink.chat, text: `${title}\n${text}`, disable_notification: !isUrgent }
      return post(`${sink.server}/bot${sink.token.reveal()}/sendMessage`, JSON.stringify(body), {})
    }
    case 'email':
      return mail(sink, { title, text })
    default:
      return run(sink.file, message, deps.environment)
  }
}

/** @throws Error with the status and the first words of the answer */
function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest
  const bytes = Buffer.from(body, 'utf8')
  const all = { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(bytes.length), ...headers }
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(LIMIT_MS)
    const sent = request(url, { method: 'POST', headers: all, signal, agent: false }, (response) => {
      const { statusCode = 0 } = response
      let answer = ''
      const end = (): void => {
        response.destroy()
        if (statusCode >= 200 && statusCode < 300) resolve()
        else reject(new Error(`HTTP ${statusCode}: ${answer.slice(0, MAX_FAULT).trim()}`))
      }
      response.setEncoding('utf8')
      response.on('data', (part: string) => {
        answer += part
        if (answer.length > MAX_ANSWER) end()
      })
      response.on('end', end)
      response.on('error', reject)
    })
    sent.on('error', (error) => reject(signal.aborted ? new Error(`no answer within ${LIMIT_MS / 1_000} s`) : error))
    sent.end(bytes)
  })
}

async function mail(
  { host, port, secure, user, password, from, to }: Extract<AlertSink, { kind: 'email' }>,
  { title, text }: { readonly title: string; readonly text: string },
): Promise<void> {
  const { createTransport } = await import('nodemailer')
  const login = user === '' ? {} : { auth: { user, pass: password?.reveal() ?? '' } }
  const transport = createTransport({
    host,
    port,
    secure,
    ...login,
    // A password never crosses the network in the clear.
    requireTLS: !secure && user !== '',
    connectionTimeout: LIMIT_MS,
    greetingTimeout: LIMIT_MS,
    socketTimeout: LIMIT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  try {
    const { rejected } = await transport.sendMail({ from, to, subject: title, text })
    if (rejected.length > 0) throw new PartlyRefused(`the mail server refused ${rejected.join(', ')}`)
  } finally {
    transport.close()
  }
}

/** Without a shell: the event and the text are its arguments, and it reads the same JSON as a webhook. */
function run(file: string, message: AlertMessage, env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(file, [message.event, message.text], {
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
      windowsHide: true,
      timeout: COMMAND_MS,
      killSignal: 'SIGKILL',
    })
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      if (code === 0) resolve()
      else
        reject(
          new Error(code === null ? `the command ended by ${signal ?? 'a signal'}` : `the command exited with ${code}`),
        )
    })
    child.stdin.on('error', () => undefined) // it needn't read it
    child.stdin.end(alertJson(message))
  })
}

/** Errors of the system and of servers may repeat the address. */
function withoutSecrets(text: string, sink: AlertSink): string {
  return secretsOf(sink).reduce((left, secret) => left.replaceAll(secret, '***'), text)
}

/** A login's header, and what is in it. */
function secretsOf(sink: AlertSink): readonly string[] {
  const texts = Object.values(sink).flatMap((value) => (value instanceof Secret ? [value.reveal()] : []))
  return [...texts, ...texts.flatMap((text) => text.split(' ').slice(1))].filter((text) => text !== '')
}
