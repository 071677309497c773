import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { RecipientHistory } from './recipient-history'

const PAID = '0x52908400098527886E0F7030069857D2E4169EE7'
const SIMILAR = '0x5290000000000000000000000000000000009ee7'
const folder = mkdtempSync(join(tmpdir(), 'history-'))
const file = join(folder, 'audit.log')
afterEach(() => rmSync(file, { force: true }))

const request = (id: string, to: string | null) =>
  JSON.stringify({ type: 'request', time: 1, id, content: { transaction: { to } } })
const result = (id: string, state: string, time: number) => JSON.stringify({ type: 'result', time, id, state })

it('counts what was signed, in any spelling, and nothing that was refused', async () => {
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
  history.settled({ state: 'signed', transaction: { to: PAID } as never }, 50)
  history.settled({ state: 'rejected', transaction: { to: PAID } as never }, 60)
  expect(history.recordOf(PAID)).toEqual({ count: 3, lastAt: 50 })
})

it('knows nobody without a record', async () => {
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
