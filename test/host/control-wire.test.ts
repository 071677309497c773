// Line JSON-RPC byte by byte: halves, floods, garbage and too much of everything.
import { expect, it } from 'vitest'
import { z } from 'zod'
import { until } from '../miner/pool-harness'
import { call, TOKEN } from './control-fixture'
import { controlOpener, doneAnswer as done, errorAnswer as error, requestLine as request } from './control-open'

const { start, wire } = controlOpener()

const ping = (id: unknown): string => request(id, 'miner_ping')

it('half lines, several in one segment, CR LF and blank lines make no difference', async () => {
  const { tcpPort } = await start()
  const client = wire(tcpPort).send(`${ping(1)}\r\n\n  \n${ping(2).trim()}\r\n`)
  await client.lines(2)
  for (const char of ping(3)) {
    client.send(char)
    await new Promise((resolve) => setImmediate(resolve))
  }

  expect(await client.lines(3)).toEqual([done('pong', 1), done('pong', 2), done('pong', 3)])
})

it('a thousand pipelined requests are answered in order', async () => {
  const { tcpPort } = await start()
  const ids = Array.from({ length: 1_000 }, (_, index) => index)
  const client = wire(tcpPort).send(
    ids.map((id) => request(id, id % 3 === 0 ? 'miner_getstat1' : 'miner_ping')).join(''),
  )

  const answers = await client.lines(1_000)

  expect(answers.map((answer) => z.object({ id: z.number() }).parse(answer).id)).toEqual(ids)
})

it('a slow request delays those behind it, on its own connection only', async () => {
  const { tcpPort } = await start()
  const client = wire(tcpPort).send(request(1, 'miner_setactiveconnection', { URI: 'rig1' }) + ping(2))

  expect(await client.lines(2)).toEqual([done(true, 1), done('pong', 2)])
})

it('batches are answered by arrays in the same order', async () => {
  const { tcpPort } = await start()
  const batch = [ping(1), request('x', 'nope'), '5\n'].map((text): unknown => JSON.parse(text))
  const client = wire(tcpPort).send(`${JSON.stringify(batch)}\n[]\n${JSON.stringify(Array(33).fill(batch[0]))}\n`)

  expect(await client.lines(3)).toEqual([
    [done('pong'), error(-32601, 'Method not found', 'x'), error(-32600, 'Invalid Request', null)],
    error(-32600, 'Invalid Request', null),
    error(-32600, 'Invalid Request', null),
  ])
})

it("binary garbage isn't JSON, and the connection stays open", async () => {
  const { tcpPort } = await start()
  const rubbish = Buffer.from([0x80, 0xff, 0x00, 0x01, 0xfe, 0x0a])
  const client = wire(tcpPort).send(Buffer.concat([rubbish, Buffer.from(ping(1))]))

  expect(await client.lines(2)).toEqual([error(-32700, 'Parse error', null), done('pong')])
})

it('a line of a megabyte is rejected once and ends the connection, after everything before it', async () => {
  const { tcpPort } = await start()
  const client = wire(tcpPort).send(`${ping(1)}{"id":"${'x'.repeat(1_048_576)}"}\n${ping(2)}`)

  await client.untilClosed()

  expect(await client.lines(2)).toEqual([done('pong'), error(-32600, 'Request too large', null)])
})

it('a line of 64 KiB is accepted', async () => {
  const { tcpPort } = await start()
  const frame = ping('').trim().length + 0
  const id = 'x'.repeat(65_536 - frame)
  const client = wire(tcpPort).send(ping(id))

  expect(await client.lines(1)).toEqual([done('pong', id)])
})

it('a client that never reads is cut off once a megabyte waits for it', async () => {
  const { tcpPort, port } = await start()
  const client = wire(tcpPort)
  client.socket.pause()
  await until('the connection', () => port.connections === 1)
  const flood = request(1, 'miner_getstatdetail').repeat(500)
  const feed = setInterval(() => client.send(flood), 1)
  try {
    await until('the port to close it', () => port.connections === 0, 240_000)
  } finally {
    clearInterval(feed)
  }
  expect(await call(tcpPort, 'miner_ping')).toEqual(done('pong'))
})

it('thirty wrong tokens in a minute end the connection and lock the right one out', async () => {
  const { tcpPort } = await start({ token: TOKEN })
  const wrong = Array.from({ length: 31 }, (_, id) => request(id, 'api_authorize', { psw: `no-${id}` }))
  const client = wire(tcpPort).send(wrong.join(''))
  const text = await client.untilClosed()

  const answers = text
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
  expect(answers.slice(0, 30)).toEqual(Array.from({ length: 30 }, (_, id) => error(-401, 'Invalid password', id)))
  expect(answers.slice(30)).toEqual([error(-429, 'Too many attempts', 30)])
  expect(await call(tcpPort, 'api_authorize', { psw: TOKEN })).toEqual(error(-429, 'Too many attempts'))
})

it('a monitor closes silently at the first byte', async () => {
  const { tcpPort } = await start({ monitor: true })

  expect(await wire(tcpPort).send(ping(1)).untilClosed()).toBe('')
})

it('a TLS hello is closed without an answer', async () => {
  const { tcpPort } = await start()

  expect(
    await wire(tcpPort)
      .send(Buffer.from([0x16, 3, 1, 0, 1]))
      .untilClosed(),
  ).toBe('')
})

it('of 500 connections the newest 128 stay and are served, and the port works afterwards', async () => {
  const { tcpPort, port } = await start()
  const clients = Array.from({ length: 500 }, () => wire(tcpPort).send(ping(1)))

  await until('the others to be closed', () => clients.filter(({ closed }) => closed).length === 500 - 128)
  await until('every connection that is open to be answered', () =>
    clients.every(({ received, closed }) => closed || received.includes('pong')),
  )

  expect(port.connections).toBe(128)
  for (const client of clients) client.destroy()
  await until('all to be gone', () => port.connections === 0)
  expect(await call(tcpPort, 'miner_ping')).toEqual(done('pong'))
})
