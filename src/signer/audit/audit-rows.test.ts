import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import type { RequestContent } from '../model/request'
import { AuditLog } from './audit-log'
import { auditRows } from './audit-rows'

const A = `0x${'aa'.repeat(20)}`
const B = `0x${'bb'.repeat(20)}`
const CALLER = { transport: 'http', remote: '127.0.0.1:1', local: '', userAgent: 'tool', origin: '' } as const
let dir = ''
let file = ''

const transfer = (from: string, to: string): RequestContent => ({
  kind: 'signTransaction',
  caller: CALLER,
  transaction: {
    from,
    to,
    value: '5',
    gas: '21000',
    gasPrice: '1',
    maxFeePerGas: null,
    maxPriorityFeePerGas: null,
    nonce: '0',
    data: '0x',
    chainId: 1,
    form: 'legacy',
    accessList: null,
    maximumFee: '21000',
    maximumTotal: '21005',
    call: null,
    raw: '{}',
  },
  data: null,
  accounts: null,
  findings: [],
})

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'audit-rows-'))
  file = join(dir, 'audit.log')
  const log = new AuditLog({ file }, { clock: new FakeClock() })
  await log.open()
  for (const [id, from] of [
    ['one', A],
    ['two', B],
  ] as const) {
    const content = transfer(from, `0x${'cc'.repeat(20)}`)
    await log.append({ type: 'request', id, kind: 'signTransaction', caller: CALLER, contentHash: '00', content })
    await log.append({ type: 'call', line: 'msg=SignTransaction' })
    const detail = { hash: `0x${id === 'one' ? '1' : '2'}` }
    await log.append({ type: 'result', id, kind: 'signTransaction', state: 'signed', error: '', detail })
  }
  await log.append({ type: 'imported', address: A, file: 'k' })
  await log.close()
})

afterEach(() => rm(dir, { recursive: true, force: true }))

it('reads the newest entries first, without lines that only repeat', async () => {
  const rows = await auditRows(file, { count: 3, address: null })

  expect(rows.map(({ type, seq }) => [type, seq])).toEqual([
    ['imported', 6],
    ['result', 5],
    ['request', 3],
  ])
  expect(rows[1]?.transactionHash).toBe('0x2')
  expect(rows[2]).toMatchObject({ who: 'tool' })
  expect(rows[2]?.summary).toContain(`5 wei to 0x${'cc'.repeat(20)}`)
})

it('reads what concerns one account, including the end of its requests', async () => {
  const rows = await auditRows(file, { count: 10, address: A.toUpperCase().replace('0X', '0x') })

  expect(rows.map(({ type }) => type)).toEqual(['imported', 'result', 'request'])
  expect(rows[1]?.transactionHash).toBe('0x1')
})

it('skips a half-written end, and treats a missing file as an empty log', async () => {
  await appendFile(file, '{"seq":7,"ti')

  expect((await auditRows(file, { count: 1, address: null }))[0]?.seq).toBe(6)
  expect(await auditRows(join(dir, 'none'), { count: 1, address: null })).toEqual([])
})
