import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLogger } from '../../base/logger'
import { systemClock } from '../../base/time'
import { parseFrame, type Transport } from '../../base/wire/define'
import { OwnerSocket } from '../../host/dashboard/owner-socket'
import { called } from '../testing/called'

const FROM = '0x52908400098527886E0F7030069857D2E4169EE7'
const TO = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const ANSWERS: Readonly<Record<string, unknown>> = {
  'signer.draft': { nonce: 0, gas: '21000', gasPrice: '1', prices: [], within: null, problem: '' },
  'signer.send': { id: 'send-1' },
}

let dir = ''
let saysRequests = true
let socket: OwnerSocket

/** A program that takes the payment, and ends before anybody decides. */
function endingProgram(transport: Transport): void {
  transport.onMessage((message) => {
    const frame = parseFrame(message)
    if (frame?.t !== 'call') return
    transport.send({ t: 'result', id: frame.id, result: ANSWERS[frame.name] })
    if (frame.name === 'signer.send') setImmediate(() => transport.close())
  })
  if (saysRequests) transport.send({ t: 'event', name: 'signer.requests', payload: REQUESTS })
}

const REQUESTS = { waiting: [], waitingCount: 0, takenAt: 1 }

beforeEach(async () => {
  saysRequests = true
  dir = mkdtempSync(join(tmpdir(), 'headframe-send-'))
  const clock = systemClock()
  const log = createLogger('', { minLevel: 'error', now: clock.now, sink: { write: () => undefined } })
  const links = () => ({ pid: process.pid, links: [] })
  socket = new OwnerSocket(dir, { links, onChannel: endingProgram, clock, log })
  await socket.start()
})
afterEach(async () => {
  await socket.stop()
  rmSync(dir, { recursive: true, force: true })
})

it('nothing is asked for where the signer does not say what waits', async () => {
  saysRequests = false
  const { code, stdout, stderr } = await called(['send', FROM, TO, '1LAX', '--datadir', dir])

  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('the signer did not say which requests wait')
})

it('a payment whose program ends is neither awaited forever nor called done', async () => {
  const { code, stdout, stderr } = await called(['send', FROM, TO, '1LAX', '--datadir', dir])

  expect([code, stdout]).toEqual([1, ''])
  expect(stderr).toContain('gave no usable answer: it ended before it said whether the payment was sent')
})
