import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type LogRecord, silentLogger } from '../../base/logger'
import { createWireClient } from '../../base/wire/client'
import { call } from '../../base/wire/define'
import { serveWire, trustedPeer } from '../../base/wire/server'
import { portTransport } from './worker-environment'
import { openWorker } from './worker-host'

const spec = { calls: { 'test.echo': call(z.object({ bytes: z.instanceof(Uint8Array) }), z.number()) }, events: {} }

const ENTRY = `
const { parentPort, resourceLimits, workerData } = require('node:worker_threads')
workerData.logPort.postMessage({ time: 1, level: 'info', module: 'test', message: 'started', fields: { n: 1 } })
workerData.logPort.postMessage('not a record')
parentPort.on('message', (frame) => {
  if (frame.params.bytes[0] === 0) {
    for (let n = 0; n < 1000; n++) workerData.logPort.postMessage({ time: n, level: 'error', module: 'test', message: 'last words', fields: {} })
    process.exit(7)
  }
  if (frame.params.bytes[0] === 1) throw new Error('boom')
  const { maxYoungGenerationSizeMb } = resourceLimits
  if (frame.params.bytes[0] === 2) return parentPort.postMessage({ t: 'result', id: frame.id, result: maxYoungGenerationSizeMb })
  parentPort.postMessage({ t: 'result', id: frame.id, result: frame.params.bytes.length + workerData.searchFrom.length })
})
`

describe('a worker as a transport', () => {
  const dir = mkdtempSync(join(tmpdir(), 'headframe-worker-'))
  const entry = join(dir, 'entry.cjs')
  writeFileSync(entry, ENTRY)
  afterAll(() => rmSync(dir, { recursive: true }))

  const open = (limits: { readonly youngMiB?: number } = {}) => {
    const lost: string[] = []
    const records: LogRecord[] = []
    const transport = openWorker({
      name: 'test',
      entry,
      searchFrom: '/ten/bytes',
      log: silentLogger,
      sink: { write: (record) => records.push(record) },
      minLevel: 'info',
      onLost: (reason) => lost.push(reason),
      ...limits,
    })
    return { client: createWireClient(spec, transport), lost, records }
  }

  it('answers calls', async () => {
    const { client, lost } = open()

    expect(await client.call('test.echo', { bytes: new Uint8Array(3).fill(9) })).toBe(13)
    void client.close()
    expect(lost).toEqual([])
  })

  it('limits the young generation of the heap where asked to', async () => {
    for (const limits of [{ youngMiB: 6 }, {}]) {
      const { client } = open(limits)
      const found = await client.call('test.echo', { bytes: Uint8Array.of(2) })
      expect(found === 6).toBe('youngMiB' in limits)
      void client.close()
    }
  })

  it("passes the worker's log records on, and nothing else", async () => {
    const { client, records } = open()

    await client.call('test.echo', { bytes: new Uint8Array(3).fill(9) })
    void client.close()

    expect(records).toEqual([{ time: 1, level: 'info', module: 'test', message: 'started', fields: { n: 1 } }])
  })

  it('fails open calls of a worker that exits, and reports it once', async () => {
    const { client, lost } = open()

    await expect(client.call('test.echo', { bytes: Uint8Array.of(0) })).rejects.toMatchObject({
      code: 'HOST_WORKER_LOST',
      message: 'test worker was lost: ended with code 7',
    })
    expect(lost).toEqual(['ended with code 7'])
    await expect(client.call('test.echo', { bytes: Uint8Array.of(5) })).rejects.toMatchObject({
      code: 'CONTRACT_CLOSED',
    })
  })

  it('has written everything a worker logged by the time it reports the loss', async () => {
    const { client, records } = open()

    await expect(client.call('test.echo', { bytes: Uint8Array.of(0) })).rejects.toThrow('test worker was lost')

    expect(records.filter(({ message }) => message === 'last words').map(({ time }) => time)).toEqual([
      ...Array(1000).keys(),
    ])
  })

  it('names the exception that ended a worker', async () => {
    const { client } = open()

    await expect(client.call('test.echo', { bytes: Uint8Array.of(1) })).rejects.toMatchObject({
      code: 'HOST_WORKER_LOST',
      data: { worker: 'test', reason: 'boom' },
    })
  })
})

describe('a message port as a transport', () => {
  it('carries calls both ways and notices when the other end closes', async () => {
    const { port1, port2 } = new MessageChannel()
    const handlers = { 'test.echo': ({ bytes }: { bytes: Uint8Array }) => bytes.length }
    serveWire(spec, portTransport(port2), handlers, { log: silentLogger, deny: trustedPeer })
    const client = createWireClient(spec, portTransport(port1))
    const closed = new Promise((resolve) => client.onClose(resolve))

    expect(await client.call('test.echo', { bytes: new Uint8Array(4) })).toBe(4)
    port2.close()

    expect(await closed).toBe('port closed')
  })
})
