import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { tokenPayees } from './payees'
import { RecipientHistory } from './recipient-history'

const PAID = '0x52908400098527886E0F7030069857D2E4169EE7'
const SIMILAR = '0x5290000000000000000000000000000000009ee7'
const folder = mkdtempSync(join(tmpdir(), 'history-'))
const file = join(folder, 'audit.log')
afterEach(() => rmSync(file, { force: true }))

const request = (id: string, to: string | null) =>
  JSON.stringify({ type: 'request', time: 1, id, content: { transaction: { to } } })
const result = (id: string, state: string, time: number) => JSON.stringify({ type: 'result', time, id, state })

it('counts what was signed, in any spelling, and nothing that was rejected', async () => {
  const lines = [
    request('a', PAID),
    result('a', 'signed', 10),
    request('b', PAID.toLowerCase()),
    request('c', PAID),
    result('c', 'rejected', 30),
    result('b', 'signed', 20),
    request('d', null),
    result('d', 'signed', 40),
    '{"type":"result","half',
  ]
  writeFileSync(file, `${lines.join('\n')}\n`)

  const history = await RecipientHistory.of(file)

  expect(history.recordOf(PAID)).toEqual({ count: 2, lastAt: 20 })
  history.settled({ state: 'signed', transaction: { to: PAID, value: '0', data: '0x' } as never }, 50)
  history.settled({ state: 'rejected', transaction: { to: PAID, value: '0', data: '0x' } as never }, 60)
  expect(history.recordOf(PAID)).toEqual({ count: 3, lastAt: 50 })
})

it('knows nobody without a log', async () => {
  const history = await RecipientHistory.of(join(folder, 'none.log'))

  expect(history.recordOf(PAID)).toEqual({ count: 0, lastAt: null })
  expect(history.lookalikeOf(PAID)).toBeNull()
})

it('finds the paid address that another one resembles, and none for the paid one itself', () => {
  const history = new RecipientHistory()
  history.add(PAID, 1)

  expect(history.lookalikeOf(SIMILAR)).toBe(PAID.toLowerCase())
  expect(history.lookalikeOf(PAID)).toBeNull()
  expect(history.lookalikeOf(`0x${'1'.repeat(40)}`)).toBeNull()
})

describe('tokens', () => {
  const TOKEN = `0x${'7'.repeat(40)}`
  const word = (hex: string): string => hex.padStart(64, '0')
  const transfer = (to: string): string => `0xa9059cbb${word(to.slice(2).toLowerCase())}${word('5')}`
  const moving = (data: string) => ({ to: TOKEN, value: '0', data })

  it('count as paid to their receiver, even in a nested call, and each is reported once', () => {
    const inner = transfer(PAID).slice(2)
    const piece = `${word('44')}${inner.padEnd(192, '0')}`
    const both = `0xac9650d8${word('20')}${word('2')}${word('40')}${word('c0')}${piece}${piece}`

    expect(tokenPayees(moving(transfer(PAID)))).toEqual([PAID.toLowerCase()])
    expect(tokenPayees(moving(both))).toEqual([PAID.toLowerCase()])
    expect(tokenPayees(moving('0x'))).toEqual([])
    expect(tokenPayees({ to: null, value: '0', data: transfer(PAID) })).toEqual([])
  })

  it('count for their receiver, in the log as in what is signed now, and its lookalike is found', async () => {
    const content = { transaction: moving(transfer(PAID)) }
    const lines = [JSON.stringify({ type: 'request', time: 1, id: 'a', content }), result('a', 'signed', 10)]
    writeFileSync(file, `${lines.join('\n')}\n`)
    const history = await RecipientHistory.of(file)
    history.settled({ state: 'signed', transaction: moving(transfer(PAID)) as never }, 20)

    expect(history.recordOf(PAID)).toEqual({ count: 2, lastAt: 20 })
    expect(history.recordOf(TOKEN)).toEqual({ count: 2, lastAt: 20 })
    expect(history.lookalikeOf(SIMILAR)).toBe(PAID.toLowerCase())
  })

  it('in a damaged record count for nobody', async () => {
    const content = { transaction: moving('0xa9059cbb not hex') }
    const lines = [JSON.stringify({ type: 'request', time: 1, id: 'a', content }), result('a', 'signed', 10)]
    writeFileSync(file, `${lines.join('\n')}\n`)

    expect((await RecipientHistory.of(file)).recordOf(PAID).count).toBe(0)
  })
})
