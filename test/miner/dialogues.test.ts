// Recorded dialogues of a common miner with a pool, replayed from the pool's side: up to its first share our miner must
// send what was recorded, except for the agent's name.
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { bytesOfHex } from '../../src/base/hex'
import type { Share } from '../../src/miner/work-source'
import { currentJob, makeRig, type Rig, until } from './pool-harness'

const fileSchema = z.object({
  dialogues: z.array(
    z.object({
      name: z.string(),
      pool: z.string(),
      dialogue: z.array(z.object({ conn: z.number(), from: z.enum(['miner', 'pool']), line: z.string() })),
    }),
  ),
})
const messageSchema = z.object({ id: z.number().nullish(), method: z.string().optional() }).catchall(z.unknown())
type Message = z.infer<typeof messageSchema>

const file = new URL('../vectors/miner/dialogues.json', import.meta.url)
const { dialogues } = fileSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
const FIRST_SUBMIT_ID = 40

interface Step {
  readonly expected: Message
  /** the pool's following messages */
  readonly answers: readonly string[]
}

/** What the miner sends and receives per connection, including its first share. */
function connectionsOf(lines: (typeof dialogues)[number]['dialogue']): Step[][] {
  const connections: { expected: Message; answers: string[] }[][] = []
  let shares = 0
  for (const { conn, from, line } of lines) {
    const steps = connections[conn - 1] ?? []
    connections[conn - 1] = steps
    if (from === 'pool') {
      if (shares <= 1) steps.at(-1)?.answers.push(line)
      continue
    }
    const expected = messageSchema.parse(JSON.parse(line.slice(line.indexOf('{'))))
    if (expected.id === FIRST_SUBMIT_ID) shares += 1
    if (shares === 0 || (shares === 1 && expected.id === FIRST_SUBMIT_ID)) steps.push({ expected, answers: [] })
  }
  return connections
}

/** The agent's name and the port that was free that day don't belong to the dialect. */
function comparable(message: Message): unknown {
  const text = JSON.stringify(message)
    .replace(/"(?:hashwarp-1\.2\.0|headframe\/test)"/g, '"AGENT"')
    .replace(/"port":"[0-9a-f]+"/, '"port":"PORT"')
  return JSON.parse(text)
}

const open: { server: Server; rig: Rig; sockets: Set<Socket> }[] = []
afterEach(async () => {
  for (const { server, rig, sockets } of open.splice(0)) {
    await rig.source.stop()
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function replay(connections: readonly Step[][], pool: string): Promise<{ rig: Rig; heard: Message[][] }> {
  const heard: Message[][] = []
  const server = pool.startsWith('getwork') ? httpPool(connections, heard) : linePool(connections, heard)
  return { rig: await startRig(server, pool), heard }
}

async function startRig(server: Server, pool: string): Promise<Rig> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const rig = makeRig([pool.replace('PORT', String(port))])
  open.push({ server, rig, sockets })
  await rig.source.start()
  return rig
}

function linePool(connections: readonly Step[][], heard: Message[][]): Server {
  let count = 0
  return createServer((socket) => {
    const steps = connections[count++] ?? []
    const said: Message[] = []
    heard.push(said)
    socket.on('error', () => undefined)
    createInterface({ input: socket }).on('line', (line) => {
      said.push(messageSchema.parse(JSON.parse(line)))
      for (const answer of steps[said.length - 1]?.answers ?? []) socket.write(`${answer}\n`)
    })
  })
}

/** Answers each recorded request as recorded, whatever came before it, and rejects all others. */
function answeringPool(steps: readonly Step[], heard: Message[][]): Server {
  return createServer((socket) => {
    const said: Message[] = []
    heard.push(said)
    socket.on('error', () => undefined)
    createInterface({ input: socket }).on('line', (line) => {
      const message = messageSchema.parse(JSON.parse(line))
      said.push(message)
      const text = JSON.stringify(comparable(message))
      const step = steps.find(({ expected }) => JSON.stringify(comparable(expected)) === text)
      const refusal = JSON.stringify({ id: message.id, result: null, error: [20, 'Not supported.'] })
      for (const answer of step?.answers ?? [refusal]) socket.write(`${answer}\n`)
    })
  })
}

/** Every request gets its method's answer, with the request's id. */
function httpPool(connections: readonly Step[][], heard: Message[][]): Server {
  const steps = connections.flat()
  return createHttpServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const message = messageSchema.parse(JSON.parse(body))
    heard.push([message])
    const step = steps.find(({ expected }) => expected.method === message.method)
    const answer = messageSchema.parse(JSON.parse(step?.answers[0] ?? '{}'))
    response.end(JSON.stringify({ ...answer, id: message.id }))
  })
}

/** The recorded share, as our farm would submit it. */
async function recordedShare(rig: Rig, submit: Message): Promise<Share> {
  const job = await currentJob(rig)
  const params = z.array(z.string()).parse(submit.params)
  const full = params.find((text) => /^0x[0-9a-f]{16}$/.test(text))
  const tail = params.find((text) => /^[0-9a-f]{12}$/.test(text))
  const mix = params.at(-1) ?? ''
  const prefix = (job.extranonce?.prefix ?? 0n) << BigInt(64 - (job.extranonce?.bits ?? 0))
  const nonce = full === undefined ? prefix | BigInt(`0x${tail}`) : BigInt(full)
  const mixDigest = /^0x[0-9a-f]{64}$/.test(mix) ? bytesOfHex(mix) : new Uint8Array(32)
  return { job, nonce, mixDigest, result: new Uint8Array(32), replaced: false }
}

it.each(
  dialogues.filter(({ name }) => !['getwork', 'stratum-version-request'].includes(name) && !name.startsWith('auto-')),
)('sends in the dialogue $name what was recorded', async ({ pool, dialogue }) => {
  const connections = connectionsOf(dialogue)
  const steps = connections.flat().map(({ expected }) => expected)
  const submit = steps.find(({ id }) => id === FIRST_SUBMIT_ID)
  const login = steps.filter((message) => message !== submit && message.method !== 'eth_submitHashrate')
  const { rig, heard } = await replay(connections, pool)
  await currentJob(rig)
  if (submit !== undefined) {
    await rig.source.submit(await recordedShare(rig, submit), new AbortController().signal)
  }

  const wanted = submit === undefined ? login : [...login, submit]
  await until('all messages', () => heard.flat().length >= wanted.length)
  expect(heard.flat().map(comparable)).toEqual(wanted.map(comparable))
  expect(heard).toHaveLength(connections.length)
})

it.each(dialogues.filter(({ name }) => name.startsWith('auto-')))(
  'finds the dialect of $name without a connection for each guess, and logs in as recorded',
  async ({ pool, dialogue }) => {
    const last = connectionsOf(dialogue).at(-1) ?? []
    const wanted = last.map(({ expected }) => comparable(expected))
    const heard: Message[][] = []
    const server = answeringPool(last, heard)
    const rig = await startRig(server, pool)
    const submit = last.find(({ expected }) => expected.id === FIRST_SUBMIT_ID)?.expected
    if (submit === undefined) throw new Error('no share was recorded')
    await currentJob(rig)
    await rig.source.submit(await recordedShare(rig, submit), new AbortController().signal)

    const said = heard.flat().map(comparable)
    expect(said.slice(-wanted.length)).toEqual(wanted)
    expect(heard).toHaveLength(1)
  },
)

it('requests work from a node by getwork, and submits its share, in the recorded words', async () => {
  const recorded = dialogues.find(({ name }) => name === 'getwork')
  const connections = connectionsOf(recorded?.dialogue ?? [])
  const steps = connections.flat().map(({ expected }) => expected)
  const submit = steps.find(({ method }) => method === 'eth_submitWork')
  if (recorded === undefined || submit === undefined) throw new Error('no such dialogue')
  const { rig, heard } = await replay(connections, recorded.pool)
  const verdict = await rig.source.submit(await recordedShare(rig, submit), new AbortController().signal)

  expect(verdict).toMatchObject({ kind: 'accepted' })
  const said = heard.flat()
  const ofMethod = (method: string): Message | undefined => said.find((message) => message.method === method)
  // Each request has its answer in the same exchange, so ids are free here.
  expect({ ...ofMethod('eth_submitWork'), id: submit.id }).toEqual(submit)
  expect(ofMethod('eth_getWork')).toMatchObject({ jsonrpc: '2.0', method: 'eth_getWork', params: [] })
})

it('answers a version request and stays, where the recorded miner left and came back endlessly', async () => {
  const recorded = dialogues.find(({ name }) => name === 'stratum-version-request')
  if (recorded === undefined) throw new Error('no such dialogue')
  const connections = connectionsOf(recorded.dialogue.filter(({ conn }) => conn === 1))
  const { heard } = await replay(connections, recorded.pool)
  await until('the answer', () => heard.flat().some(({ id }) => id === 77))

  const answer = heard.flat().find(({ id }) => id === 77)
  expect(answer).toEqual({ id: 77, jsonrpc: '2.0', result: 'headframe/test' })
  expect(heard).toHaveLength(1)
})
