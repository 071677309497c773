// The line protocol of another rig, for what its HTTP API lacks: setting a pool.
import { connect, type Socket } from 'node:net'
import { z } from 'zod'
import type { Secret } from '../../base/secret'
import type { Clock } from '../../base/time'
import type { PoolUrl } from '../../config/values/pool-url'
import { parseJson } from '../../net/json-rpc/json-rpc'
import { type CommandOutcome, connectionWords, type RigPlace } from './rig-client'

/** For all calls together: the rig answers each immediately. */
const TIME_LIMIT_MS = 8_000
const BODY_LIMIT_BYTES = 262_144
const DUPLICATE = 'Already in the list'

const answerSchema = z.object({
  /** null: that of a request it couldn't read */
  id: z.number().nullable(),
  result: z.unknown().optional(),
  error: z.object({ code: z.number(), message: z.string().max(1_024).catch('') }).optional(),
})
const listSchema = z.array(z.object({ active: z.boolean(), index: z.number().int().nonnegative(), uri: z.string() }))

class Refused extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
    this.name = 'Refused'
  }
}

/**
 * Adds the pool to the rig if missing, and makes it the active one. Never rejects.
 * @param text the address as typed, password included
 * @param url the same, parsed
 */
export async function setPool(
  place: RigPlace,
  { text, url }: { readonly text: Secret; readonly url: PoolUrl },
  clock: Clock,
): Promise<CommandOutcome> {
  const line = new LineCalls(place, clock)
  try {
    if (place.token !== null) await line.call('api_authorize', { psw: place.token.reveal() })
    const isNew = await added(line, text)
    const list = listSchema.parse((await line.call('miner_getconnections')) ?? [])
    // Other vendors' rigs list addresses in full, with passwords.
    const shown = [url.masked, url.plain, text.reveal()]
    const found = list.find(({ uri }) => shown.includes(uri)) ?? (isNew ? list.at(-1) : undefined)
    if (found === undefined) return { error: 'the pool is in its list under another address', status: null }
    if (!found.active) await line.change('miner_setactiveconnection', { index: found.index })
    return { done: true }
  } catch (error) {
    return { error: wordsOf(error).replaceAll(text.reveal(), url.masked), status: null }
  } finally {
    line.close()
  }
}

/** False when the rig had it already. */
async function added(line: LineCalls, text: Secret): Promise<boolean> {
  try {
    await line.change('miner_addconnection', { uri: text.reveal() })
    return true
  } catch (error) {
    if (error instanceof Refused && error.message === DUPLICATE) return false
    throw error
  }
}

function wordsOf(error: unknown): string {
  if (error instanceof Refused) {
    if (error.code === -401 || error.code === -403) return 'token missing or wrong'
    if (error.code === -32601) return 'control is not allowed'
    return error.message || `refused with code ${error.code}`
  }
  if (error instanceof z.ZodError) return 'not a miner of this family'
  return connectionWords(error)
}

/** One connection, one call at a time. */
class LineCalls {
  readonly #socket: Socket
  readonly #limit: { dispose(): void }
  #received = ''
  #waiting: { resolve(answer: z.infer<typeof answerSchema>): void; reject(error: Error): void } | null = null
  #fault: Error | null = null
  #id = 0

  constructor({ host, port }: RigPlace, clock: Clock) {
    this.#socket = connect({ host, port })
    this.#socket.setEncoding('utf8')
    this.#socket.on('data', (part: string) => this.#take(part))
    this.#socket.on('error', (error) => this.#end(error))
    this.#socket.on('close', () => this.#end(new Error('the rig closed the connection')))
    this.#limit = clock.setTimeout(() => this.#end(new Error('timeout')), TIME_LIMIT_MS)
  }

  /** @throws Refused with the rig's answer; Error without one; ZodError for an invalid answer */
  async call(method: string, params?: object): Promise<unknown> {
    this.#id += 1
    const request = { id: this.#id, jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) }
    const answer = new Promise<z.infer<typeof answerSchema>>((resolve, reject) => {
      if (this.#fault !== null) return reject(this.#fault)
      this.#waiting = { resolve, reject }
    })
    this.#socket.write(`${JSON.stringify(request)}\n`)
    const { result, error } = await answer
    if (error !== undefined) throw new Refused(error.code, error.message)
    return result
  }

  /** The same for what the rig confirms. */
  async change(method: string, params: object): Promise<void> {
    if ((await this.call(method, params)) !== true) throw new Error(`the rig didn't confirm ${method}`)
  }

  close(): void {
    this.#end(new Error('closed'))
  }

  #take(part: string): void {
    const lines = (this.#received + part).split('\n')
    this.#received = lines.pop() ?? ''
    for (const line of lines.filter((each) => each.trim() !== '')) {
      const { success, data, error } = answerSchema.safeParse(parseJson(line)?.value)
      if (!success) return void this.#end(error)
      // What it sends unasked, or again, answers no other request.
      if (data.id !== null && data.id !== this.#id) continue
      this.#waiting?.resolve(data)
      this.#waiting = null
    }
    if (this.#received.length > BODY_LIMIT_BYTES) this.#end(new Error('the answer is too long'))
  }

  #end(error: Error): void {
    this.#fault ??= error
    this.#limit.dispose()
    this.#socket.destroy()
    this.#waiting?.reject(this.#fault)
    this.#waiting = null
  }
}
