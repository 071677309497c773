// Plays one recorded case against a running signer, step by step as the vectors' README describes.
import { readdir, readFile, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { deriveKey } from '../../../src/signer/keystore/kdf'
import { addressOfSecret } from '../../../src/signer/keystore/secret-key'
import { openKeyFile, parseKeyFile } from '../../../src/signer/keystore/v3-file'
import { differences, fill, isRecord, short } from './compare'
import { Inbox, pause, type Reply, type SignerProcess, type UiMessage } from './signer-process'

export interface Op extends Readonly<Record<string, unknown>> {
  readonly do?: string
  readonly see?: string
}

/** Ends what hangs. A recorded `timeout` is the recording's patience: a busy machine needs more. */
const WAIT_MS = 240_000

/** Throws an error with the difference. */
export class CasePlayer {
  readonly #signer: SignerProcess
  readonly #replies = new Map<string, { promise: Promise<Reply>; done: Reply | null }>()
  readonly #seen = new Map<string, UiMessage>()

  constructor(signer: SignerProcess) {
    this.#signer = signer
  }

  async play(ops: readonly Op[]): Promise<void> {
    for (const [index, op] of ops.entries()) {
      try {
        await (op.do === undefined ? this.#expect(op) : this.#act(op))
      } catch (error) {
        const signer = this.#signer.stderr.split('\n').slice(-4).join('\n')
        throw new Error(
          `op ${index} ${short(op)}: ${error instanceof Error ? error.message : String(error)}\n${signer}`,
        )
      }
    }
    await pause(20)
    this.#check(this.#signer.ui.drain().map((message) => `left over: ${short(message)}`))
  }

  async #act(op: Op): Promise<void> {
    switch (op.do) {
      case 'request':
        return this.#request(op)
      case 'answer':
        return this.#answer(op)
      case 'ui-call': {
        const message = fill(op.message, this.#signer.bound)
        const id = isRecord(message) ? message.id : null
        this.#signer.uiAnswers.set(JSON.stringify(id), new Inbox())
        this.#signer.say(JSON.stringify(message))
        return
      }
      case 'close-ui':
        this.#signer.child.stdin.end()
        return pause(200)
      case 'drop':
        this.#replies.delete(textOf(op.id))
        return
      case 'wait':
        return pause(Number(op.ms))
      case 'drain':
        this.#signer.ui.drain()
        return
      case 'signal':
        this.#signer.child.kill(op.sig === 'SIGTERM' ? 'SIGTERM' : 'SIGINT')
        return
      case 'ready':
        return this.#signer.ready()
      case 'deny-until':
        return this.#denyUntil(op)
      default:
        throw new Error('unknown op')
    }
  }

  async #expect(op: Op): Promise<void> {
    switch (op.see) {
      case 'ui':
        return this.#seeUi(op)
      case 'response':
        return this.#seeResponse(op)
      case 'silence': {
        await pause(Number(op.ms ?? 500))
        const answered = [...this.#replies]
          .filter(([, reply]) => reply.done !== null)
          .map(([id]) => `${id} was answered`)
        this.#check([...this.#signer.ui.waiting().map((message) => short(message)), ...answered])
        return
      }
      case 'ui-result': {
        const answer = await this.#signer.uiAnswers.get(JSON.stringify(op.of))?.take(WAIT_MS)
        this.#check(differences(op.json, answer, this.#signer.bound))
        return
      }
      case 'exit': {
        const end = await Promise.race([this.#signer.exited, pause(WAIT_MS).then(() => null)])
        this.#check(end?.code === op.code ? [] : [`exit ${short(end)}`])
        return
      }
      case 'running':
        this.#check(this.#signer.hasExited() ? ['it has ended'] : [])
        return
      case 'file':
        return this.#seeFile(op)
      case 'keyfile':
        return this.#seeKeyFile(op)
      case 'accounts': {
        const names = (await readdir(this.#keystore())).filter((name) => !name.startsWith('.'))
        this.#check(names.length === op.count ? [] : [`${names.length} key files`])
        return
      }
      default:
        throw new Error('unknown op')
    }
  }

  #request(op: Op): void {
    const { bound } = this.#signer
    const repeat = isRecord(op.repeat) ? String(op.repeat.unit).repeat(Number(op.repeat.times)) : undefined
    const json = op.body === undefined ? undefined : JSON.stringify(fill(op.body, bound))
    const body = op.text === undefined ? (repeat ?? json) : String(fill(op.text, bound))
    const filled = fill(op.headers, bound)
    const headers = isRecord(filled) ? { headers: filled as Record<string, string | null> } : {}
    const promise = this.#signer.send({
      body,
      ...headers,
      ...(op.method === undefined ? {} : { method: String(op.method) }),
      ...(op.path === undefined ? {} : { path: String(op.path) }),
      ...(op.transport === undefined ? {} : { transport: String(op.transport) }),
    })
    const entry: { promise: Promise<Reply>; done: Reply | null } = { promise, done: null }
    void promise.then((reply) => {
      entry.done = reply
    })
    this.#replies.set(textOf(op.id ?? 'r'), entry)
  }

  #answer(op: Op): void {
    const asked = this.#seen.get(textOf(op.to ?? 'u')) ?? {}
    if (op.raw !== undefined) {
      const raw = String(fill(op.raw, { ...this.#signer.bound, id: JSON.stringify(asked.id) }))
      this.#signer.say(raw)
      return
    }
    const content = 'error' in op ? { error: op.error } : { result: echoed(fill(op.result, this.#signer.bound), asked) }
    this.#signer.say(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...content }))
  }

  async #seeUi(op: Op): Promise<void> {
    const message = await this.#signer.ui.take(WAIT_MS)
    if (message === null)
      throw new Error(`no UI message; callers got ${short([...this.#replies.values()].map((r) => r.done?.text))}`)
    const hasId = message.id !== undefined && message.id !== null
    if (hasId === (op.notification === true)) throw new Error(`id of ${short(message)}`)
    const { id: _id, ...rest } = asText(message)
    this.#seen.set(textOf(op.as ?? 'u'), message)
    this.#check(differences(isRecord(op.message) ? asText(op.message) : op.message, rest, this.#signer.bound))
  }

  async #seeResponse(op: Op): Promise<void> {
    const entry = this.#replies.get(textOf(op.of ?? 'r'))
    const reply = await Promise.race([entry?.promise, pause(WAIT_MS).then(() => null)])
    if (reply === null || reply === undefined) throw new Error('no response to the caller')
    if (reply.closed) {
      this.#check(op.closed === true || op.orClosed === true ? [] : ['the connection was closed'])
      return
    }
    const { bound } = this.#signer
    const headers = Object.entries(isRecord(op.headers) ? op.headers : {}).flatMap(([name, value]) =>
      differences(value, reply.headers[name.toLowerCase()] ?? null, bound, name),
    )
    this.#check([
      ...(op.status === undefined || op.status === reply.status ? [] : [`status ${reply.status} ${reply.text}`]),
      ...headers,
      ...('json' in op ? differences(op.json, reply.json, bound) : []),
      ...('text' in op ? differences(op.text, reply.text.trim(), bound) : []),
    ])
  }

  /** Denies everything until the announced end; every method must have come. */
  async #denyUntil(op: Op): Promise<void> {
    const methods = new Set<string>()
    for (;;) {
      const message = await this.#signer.ui.take(WAIT_MS)
      if (message === null) throw new Error(`no end after ${[...methods].join(', ')}`)
      const method = textOf(message.method)
      methods.add(method)
      if (!method.startsWith('ui_')) throw new Error(`foreign line ${short(message)}`)
      const { params } = asText(message)
      const text = Array.isArray(params) ? textOf(params[0]) : ''
      if (method === 'ui_showInfo' && new RegExp(String(op.match)).test(text)) break
      if (message.id === undefined) continue
      const denial = method === 'ui_approveListing' ? { accounts: null } : { approved: false }
      const result = method === 'ui_onInputRequired' ? { text: String(op.text ?? 'no') } : denial
      this.#signer.say(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
    }
    const wanted = Array.isArray(op.methods) ? op.methods.map(String) : []
    this.#check(wanted.filter((method) => !methods.has(method)).map((method) => `${method} was not called`))
  }

  async #seeFile(op: Op): Promise<void> {
    const { bound, folder } = this.#signer
    const given = String(fill(op.path, bound))
    const path = isAbsolute(given) ? given : join(folder, given)
    const text = await readFile(path, 'utf8').catch(() => null)
    if (op.exists === false || text === null) {
      this.#check(
        (op.exists === false) === (text === null) ? [] : [`${given} ${text === null ? 'is missing' : 'exists'}`],
      )
      return
    }
    const contains = (list: unknown): readonly string[] =>
      Array.isArray(list) ? list.map((item) => String(fill(item, bound))) : []
    const mode = ((await stat(path)).mode & 0o777).toString(8).padStart(4, '0')
    this.#check([
      ...(op.mode === undefined || op.mode === mode ? [] : [`mode ${mode}`]),
      ...('json' in op ? differences(op.json, JSON.parse(text), bound) : []),
      ...contains(op.contains)
        .filter((part) => !text.includes(part))
        .map((part) => `lacks ${part}`),
      ...contains(op.lacks)
        .filter((part) => text.includes(part))
        .map((part) => `contains ${part}`),
    ])
  }

  async #seeKeyFile(op: Op): Promise<void> {
    const address = String(fill(op.address, this.#signer.bound)).toLowerCase()
    const names = await readdir(this.#keystore())
    const name = names.find((candidate) => !candidate.startsWith('.') && candidate.endsWith(address.slice(2)))
    if (name === undefined) throw new Error(`no key file among ${names.join(' ')}`)
    const path = join(this.#keystore(), name)
    const file = parseKeyFile(await readFile(path, 'utf8'))
    const derived = await deriveKey(file.kdf, new TextEncoder().encode(String(op.password)))
    const n = file.kdf.kdf === 'scrypt' ? file.kdf.n : 0
    this.#check([
      ...(/^UTC--\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{9}Z--[0-9a-f]{40}$/.test(name) ? [] : [`name ${name}`]),
      ...(((await stat(path)).mode & 0o777) === 0o600 ? [] : ['mode is not 0600']),
      ...names.filter((other) => other.startsWith('.')).map((other) => `left over ${other}`),
      ...(op.n === undefined || op.n === n ? [] : [`n ${n}`]),
      ...(addressOfSecret(openKeyFile(file, derived)) === address ? [] : ['it is the key of another address']),
    ])
  }

  #keystore(): string {
    return join(this.#signer.folder, 'keystore')
  }

  #check(problems: readonly string[]): void {
    if (problems.length > 0) throw new Error(problems.slice(0, 5).join('\n'))
  }
}

/** ui_showInfo and ui_showError are compared only by their text. */
function asText(message: UiMessage): UiMessage {
  const isText = message.method === 'ui_showInfo' || message.method === 'ui_showError'
  const first: unknown = Array.isArray(message.params) ? message.params[0] : null
  return isText && isRecord(first) ? { ...message, params: [first.text] } : message
}

/** An answer that returns what was offered, changed or in part. */
function echoed(result: unknown, asked: UiMessage): unknown {
  if (!isRecord(result) || typeof result.$echo !== 'string') return result
  const offered: unknown = Array.isArray(asked.params) ? asked.params[0] : null
  if (!isRecord(offered)) return null
  if (result.$echo === 'accounts') {
    const accounts: unknown[] = Array.isArray(offered.accounts) ? offered.accounts : []
    return { accounts: Array.isArray(result.pick) ? result.pick.map((index) => accounts[Number(index)]) : accounts }
  }
  const transaction: Record<string, unknown> = {
    ...(isRecord(offered.transaction) ? offered.transaction : {}),
    ...(isRecord(result.set) ? result.set : {}),
  }
  for (const name of Array.isArray(result.unset) ? result.unset : []) delete transaction[String(name)]
  return { transaction, approved: result.approved ?? true }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? '')
}
