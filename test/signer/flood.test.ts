// Many requests at once over the real HTTP front: all wait or are answered with a reason, and none takes much memory.
import { Agent, request as httpRequest } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { QUEUE_LIMITS } from '../../src/signer/requests/queue-limits'
import { Harness, type RpcAnswer, TRANSFER } from './harness'

const MIB = 1024 * 1024
const AT_A_TIME = 100
const running: Harness[] = []

afterEach(async () => {
  for (const harness of running.splice(0)) await harness.end()
})

async function start(): Promise<Harness> {
  const harness = await Harness.start()
  running.push(harness)
  return harness
}

/** Each over a separate connection, and none is answered by the user. */
function ask(harness: Harness, count: number): readonly Promise<RpcAnswer>[] {
  return Array.from({ length: count }, (_, nonce) =>
    harness.call('account_signTransaction', [{ ...TRANSFER, nonce: `0x${nonce.toString(16)}` }]),
  )
}

/**
 * Like `ask`, but a limited number at a time: the system's queue of unaccepted connections drops those beyond its
 * length.
 */
async function askInTurns(harness: Harness, count: number): Promise<readonly Promise<RpcAnswer>[]> {
  const asked: Promise<RpcAnswer>[] = []
  while (asked.length < count) {
    asked.push(...ask(harness, Math.min(AT_A_TIME, count - asked.length)))
    await waiting(harness, asked.length)
  }
  return asked
}

/** Resolves when this many wait and as many are shown as one caller may have. */
function waiting(harness: Harness, count: number): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      const shown = harness.service.requests().length
      if (harness.service.queue.waitingCount >= count && shown === QUEUE_LIMITS.shownPerCaller) resolve()
      else setTimeout(look, 5)
    }
    look()
  })
}

describe('a flood of requests', () => {
  it('waits completely: 250 at once take less than 150 MB, and each gets its answer', async () => {
    const harness = await start()
    const before = process.memoryUsage().rss
    const asked = ask(harness, QUEUE_LIMITS.openPerCaller)
    await waiting(harness, QUEUE_LIMITS.openPerCaller)
    const grown = (process.memoryUsage().rss - before) / MIB

    expect(grown).toBeLessThan(150)
    expect(harness.service.requests()).toHaveLength(QUEUE_LIMITS.shownPerCaller)
    harness.service.rejectAll()
    const answers = await Promise.all(asked)
    expect(new Set(answers.map(({ error }) => error?.message))).toEqual(new Set(['request denied']))
  })

  it('gets an error at its 251st request that too many are open, and is admitted again at the next free place', async () => {
    const harness = await start()
    const asked = await askInTurns(harness, QUEUE_LIMITS.openPerCaller)

    const refused = await harness.call('account_signTransaction', [TRANSFER])
    expect(refused.error).toEqual({
      code: -32000,
      message: expect.stringMatching(/^too many requests are open \(max 250, or 16 MiB of them\)/),
    })
    expect((await harness.call('account_version')).result).toBe('6.1.0')

    await harness.reject(await harness.nextRequest())
    await Promise.race(asked)
    const heard = harness.call('account_signTransaction', [TRANSFER])
    await waiting(harness, QUEUE_LIMITS.openPerCaller)
    harness.service.rejectAll()
    expect((await heard).error?.message).toBe('request denied')
    await Promise.all(asked)
  })

  it('over one connection names one caller, however many requests it sends', async () => {
    const harness = await start()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const remotes: string[] = []
    for (let i = 0; i < 3; i++) {
      const answered = callOver(agent, harness.port)
      const request = await harness.nextRequest()
      remotes.push(request.caller.remote)
      await harness.reject(request)
      await answered
    }
    agent.destroy()

    expect(new Set(remotes).size).toBe(1)
  })
})

function callOver(agent: Agent, port: number): Promise<void> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'account_signTransaction', params: [TRANSFER] })
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' }
    const request = httpRequest({ host: '127.0.0.1', port, method: 'POST', headers, agent }, (response) => {
      response.resume()
      response.on('end', resolve)
    })
    request.on('error', reject)
    request.end(body)
  })
}
