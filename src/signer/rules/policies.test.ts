import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import type { AuditEntry } from '../audit/audit-entry'
import type { Question } from '../ports'
import { SAMPLE_SEED } from '../testing/local-vault'
import { vaultKeysOf } from '../vault/seed-text'
import { EncryptedStore } from '../vault/vault'
import { dryRun, type Policy } from './policy-match'
import type { PolicyList } from './rules'
import { decideWith } from './testing/deciding'
import { ACCOUNT, aPolicy, aPolicyListIn, aTransfer, META, SHOP } from './testing/policy-samples'
import { UseTotals } from './use-totals'

const HOUR = 3_600_000

let dir = ''
let clock = new FakeClock()
let recorded: AuditEntry[] = []

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'policies-'))
  clock = new FakeClock()
  recorded = []
})

afterEach(async () => {
  await rm(dir, { recursive: true, force: true })
})

const aPolicyList = (): PolicyList => aPolicyListIn(dir, clock, { record: async (entry) => void recorded.push(entry) })

async function bookWith(...policies: readonly unknown[]): Promise<PolicyList> {
  const book = aPolicyList()
  await book.save(policies)
  return book
}

const judgement = async (book: PolicyList, question: Question, request = 'r'): Promise<string> =>
  (await book.judge(question, request)).judgement

describe('a policy', () => {
  it('approves what it covers, and names itself', async () => {
    const book = await bookWith(aPolicy())

    expect(await book.judge(aTransfer(), 'r')).toEqual({ judgement: 'approve', by: 'policy shop', reason: 'the shop' })
  })

  it.each([
    ['one wei more', aTransfer({ value: '0x3e9' })],
    ['another recipient', aTransfer({ to: ACCOUNT })],
    ['another account', aTransfer({ from: SHOP })],
    ['a higher fee', aTransfer({ gas: '0x5209' })],
    ['a higher fee of the other form', aTransfer({ gasPrice: null, maxFeePerGas: '0x2' })],
    ['a call', aTransfer({ data: '0xa9059cbb' })],
    ['half a method', aTransfer({ data: '0xa9' })],
    ['a contract', aTransfer({ to: null })],
    ['an empty recipient', aTransfer({ to: '' })],
    ['a warning', aTransfer({}, { call_info: [{ type: 'WARNING', message: 'x' }] })],
    ['an unknown severity', aTransfer({}, { call_info: [{ type: 'new', message: 'x' }] })],
    ['no value', aTransfer({ value: undefined })],
    ['a negative value', aTransfer({ value: '-0x1' })],
    ['another kind of question', { method: 'ui_approveSignData', body: aTransfer().body } as Question],
    ['a listing', { method: 'ui_approveListing', body: { accounts: [], meta: META } } as Question],
  ])('leaves %s to the person', async (_what, question) => {
    expect(await judgement(await bookWith(aPolicy()), question)).toBe('ask')
  })

  it.each([
    ['is switched off', { enabled: false }],
    ['has expired', { expiresAt: 1 }],
    ['is about another caller', { callers: [{ scheme: 'ipc', origin: null }] }],
    ['is about another origin', { callers: [{ scheme: 'http', origin: '' }] }],
  ])('covers nothing if it %s', async (_what, change) => {
    expect(await judgement(await bookWith(aPolicy(change)), aTransfer())).toBe('ask')
  })

  it("recognizes Headframe's own requests, whatever the UI API calls them", async () => {
    const book = await bookWith(aPolicy({ callers: [{ scheme: 'app', origin: null }] }))

    expect(await judgement(book, aTransfer({}, { meta: { ...META, scheme: 'in-proc' } }))).toBe('approve')
    expect(await judgement(book, aTransfer())).toBe('ask')
  })

  it('covers its own callers', async () => {
    const change = { callers: [{ scheme: 'http', origin: 'https://shop' }], recipients: null }

    expect(await judgement(await bookWith(aPolicy(change)), aTransfer())).toBe('approve')
  })

  it('covers nothing if it names methods, as earlier versions created it', async () => {
    const book = await bookWith(aPolicy({ methods: ['0xA9059CBB'], recipients: null }))

    expect(await judgement(book, aTransfer({ data: `0xa9059cbb${'0'.repeat(128)}` }))).toBe('ask')
    expect(await judgement(book, aTransfer())).toBe('ask')
  })

  it('reads what earlier versions stored, which had no tokens', async () => {
    const { tokens: _t, ...old } = aPolicy()
    const book = await bookWith(old)

    expect(await judgement(book, aTransfer())).toBe('approve')
  })

  it('accepts an address without a checksum, and warns about a wrong checksum', async () => {
    const book = await bookWith(aPolicy())
    const call_info = [{ type: 'WARNING', message: 'Invalid checksum on recipient address' }]

    expect(await judgement(book, aTransfer({ to: SHOP.toLowerCase() }, { call_info }))).toBe('approve')
    expect(await judgement(book, aTransfer({ to: SHOP.replace('CD2a', 'cd2A') }, { call_info }))).toBe('ask')
  })

  it('stops at the limit of its period and resumes once time has passed', async () => {
    const book = await bookWith(aPolicy())
    const answers: string[] = []
    for (let i = 0; i < 4; i++) {
      answers.push(await judgement(book, aTransfer(), `r${i}`))
      await book.signed(`r${i}`, { raw: '0x', tx: { hash: `0x${i}` } })
      clock.advance(60_000)
    }
    clock.advance(2 * HOUR)

    expect(answers).toEqual(['approve', 'approve', 'approve', 'ask'])
    expect(await judgement(book, aTransfer())).toBe('approve')
  })

  it('never admits simultaneous requests beyond its limit', async () => {
    const book = await bookWith(aPolicy())

    const answers = await Promise.all(Array.from({ length: 10 }, () => judgement(book, aTransfer())))

    expect(answers.filter((answer) => answer === 'approve')).toHaveLength(3)
  })

  it('counts over a restart', async () => {
    const first = await bookWith(aPolicy({ periods: [{ hours: 24, wei: null, count: 1 }] }))
    expect(await judgement(first, aTransfer())).toBe('approve')

    expect(await judgement(aPolicyList(), aTransfer())).toBe('ask')
  })

  it('returns at once what was approved and not signed, and nothing of what was signed', async () => {
    const book = await bookWith(aPolicy({ periods: [{ hours: 24, wei: null, count: 2 }] }))
    await book.judge(aTransfer(), 'failed')
    await book.judge(aTransfer(), 'signed')
    await book.signed('signed', { tx: { hash: '0x1' } })
    await book.failed('failed')
    await book.failed('signed')
    await book.failed('another')

    expect(await judgement(book, aTransfer())).toBe('approve')
    expect(await judgement(book, aTransfer())).toBe('ask')
  })

  it('shares the limits of its account with all other policies', async () => {
    const five = { periods: [{ hours: 24, wei: null, count: 5 }] }
    const book = await bookWith(aPolicy({ id: 'a', ...five }), aPolicy({ id: 'b', ...five }))
    const answers: string[] = []
    for (let i = 0; i < 7; i++) answers.push(await judgement(book, aTransfer(), `r${i}`))

    expect(answers.filter((answer) => answer === 'approve')).toHaveLength(5)
    await book.save([aPolicy({ id: 'c', ...five })])
    expect(await judgement(book, aTransfer())).toBe('ask') // nor does a new one start over
  })

  it.each([
    ['a year ahead', 8_760 * HOUR],
    ['a year back', -8_760 * HOUR],
  ])('neither frees nor forgets a use when the clock is set %s and back', async (_what, by) => {
    const book = await bookWith(aPolicy({ periods: [{ hours: 24, wei: null, count: 2 }] }))
    await book.judge(aTransfer(), 'r1')
    clock.setWallClock(by)
    expect(await judgement(book, aTransfer(), 'r2')).toBe('approve')
    expect(await judgement(aPolicyList(), aTransfer(), 'r3')).toBe('ask')
    clock.setWallClock(-by)
    expect(await judgement(book, aTransfer(), 'r4')).toBe('ask')
    clock.advance(24 * HOUR)

    expect(await judgement(book, aTransfer(), 'r5')).toBe('approve')
  })

  it('has expired also after the clock is set back', async () => {
    const book = await bookWith(aPolicy({ expiresAt: clock.now() + HOUR }))
    await book.judge(aTransfer(), 'r')
    clock.advance(HOUR)
    clock.setWallClock(-2 * HOUR)

    expect(await judgement(book, aTransfer())).toBe('ask')
  })

  it("counts what was approved if it isn't known whether it was signed", async () => {
    const book = await bookWith(aPolicy({ periods: [{ hours: 24, wei: null, count: 1 }] }))
    await book.judge(aTransfer(), 'r')
    clock.advance(10 * 60_000)

    expect(await judgement(aPolicyList(), aTransfer())).toBe('ask')
  })

  it('shares accounts only if all of them are its own', async () => {
    const {
      account: _a,
      recipients: _r,
      methods: _m,
      tokens: _t,
      valueWei: _v,
      feeWei: _f,
      periods: _p,
      ...rest
    } = aPolicy()
    const book = await bookWith({ ...rest, kind: 'listing', accounts: [ACCOUNT] })
    const listing = (...accounts: readonly string[]): Question => ({
      method: 'ui_approveListing',
      body: { accounts: accounts.map((address) => ({ address })), meta: META },
    })

    expect(await judgement(book, listing(ACCOUNT))).toBe('approve')
    expect(await judgement(book, listing(ACCOUNT, SHOP))).toBe('ask')
  })
})

describe('the stored policies', () => {
  it('records each change before it takes effect, and keeps it', async () => {
    await bookWith(aPolicy())

    expect(recorded).toMatchObject([{ type: 'settings', what: 'policies' }])
    expect(await aPolicyList().policies()).toMatchObject([{ id: 'shop', account: ACCOUNT.toLowerCase() }])
  })

  it.each([
    ['nothing', undefined],
    ['no bound in time', [aPolicy({ periods: [] })]],
    ['a period without a bound', [aPolicy({ periods: [{ hours: 1, wei: null, count: null }] })]],
    ['an unknown member', [aPolicy({ extra: 1 })]],
    ['the same id twice', [aPolicy(), aPolicy()]],
    ['a negative amount', [aPolicy({ valueWei: '-1' })]],
    ['an amount in hex', [aPolicy({ valueWei: '0x10' })]],
  ])("doesn't save %s", async (_what, value) => {
    await expect(aPolicyList().save(value)).rejects.toMatchObject({ code: 'SIGNER_POLICY_INVALID' })
    expect(recorded).toEqual([])
  })

  it('counts what each policy approved, across a restart, and drops those that are gone', async () => {
    const listing = { ...aPolicy(), kind: 'listing', id: 'constructor', accounts: [ACCOUNT] }
    const {
      account: _a,
      recipients: _r,
      methods: _m,
      tokens: _t,
      valueWei: _v,
      feeWei: _f,
      periods: _p,
      ...shares
    } = listing
    const book = await bookWith(aPolicy(), shares, aPolicy({ id: 'never', recipients: [ACCOUNT] }))
    await book.judge(aTransfer(), 'r')
    clock.advance(1_000)
    await book.judge(aTransfer(), 'r')
    await book.judge({ method: 'ui_approveListing', body: { accounts: [{ address: ACCOUNT }], meta: META } }, 'r')
    await book.judge(aTransfer({ to: SHOP, value: '0x3e9' }), 'r')

    const again = aPolicyList()
    expect(await again.matches()).toEqual([
      { id: 'shop', count: 2, lastAt: clock.now() },
      { id: 'constructor', count: 1, lastAt: clock.now() },
    ])
    await again.save([shares])
    expect(await again.matches()).toHaveLength(1)
  })

  it('takes over what earlier versions stored, with its uses, once', async () => {
    const file = join(dir, 'policies.json')
    const { earlier: key } = vaultKeysOf(Uint8Array.from(SAMPLE_SEED))
    const store = new EncryptedStore({ file, key, randomBytes })
    const earlier = () => readFile(file, 'utf8')
    const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value))
    const used = { policy: 'shop', at: clock.now() - HOUR, wei: '22000', hash: '0x1', request: 'r' }
    await store.change(
      new Map([
        ['policies', bytes([aPolicy({ periods: [{ hours: 24, wei: null, count: 3 }] })])],
        ['uses', bytes([used, { ...used, policy: 'removed' }, { ...used, at: clock.now() - 25 * HOUR }])],
        ['matches', bytes({ shop: { count: 7, lastAt: 1 } })],
      ]),
    )
    const book = aPolicyListIn(dir, clock, { earlier })

    expect(await book.matches()).toEqual([{ id: 'shop', count: 7, lastAt: 1 }])
    const answers: string[] = []
    for (let i = 0; i < 3; i++) answers.push(await judgement(book, aTransfer(), `r${i}`))
    expect(answers).toEqual(['approve', 'approve', 'ask'])
    await book.save([])

    expect(await aPolicyListIn(dir, clock, { earlier }).policies()).toEqual([])
  })

  it('looks at a few of a million uses for each sum', () => {
    const uses = new UseTotals()
    const account = ACCOUNT.toLowerCase()
    for (let i = 0; i < 1_000_000; i++) uses.add({ account, at: 31_000 * i, wei: '7', token: null })
    expect(uses.since({ account, contract: null }, -1)).toEqual({ count: 1_000_000, sum: 7_000_000n })
    const before = uses.looks

    for (let i = 0; i < 1_000; i++) uses.since({ account, contract: null }, 31_000_000 * i)

    expect(uses.looks - before).toBeGreaterThan(1_000)
    expect(uses.looks - before).toBeLessThanOrEqual(1_000 * Math.ceil(Math.log2(1_000_000)))
    expect(new Set(decideWith(uses, 10))).toEqual(new Set(['shop']))
  })

  it('asks if its file was changed by hand', async () => {
    const book = await bookWith(aPolicy())
    const file = join(dir, 'policies.log')
    await writeFile(file, (await readFile(file, 'utf8')).replace('"c":"', '"c":"AAAA'))

    expect(await judgement(book, aTransfer())).toBe('ask')
  })
})

describe('a dry run', () => {
  const past = (time: number, transaction: Record<string, unknown> | null, kind = 'signTransaction'): string =>
    JSON.stringify({
      seq: 0,
      time,
      type: 'request',
      id: `r${time}`,
      kind,
      caller: { transport: 'http', remote: '', local: '', userAgent: '', origin: '' },
      contentHash: '',
      content: { kind, transaction, accounts: [{ address: SHOP }], findings: [] },
    })
  const spent = { from: ACCOUNT, to: SHOP, value: '1000', gas: '21000', gasPrice: '1', maxFeePerGas: null, data: '0x' }

  it('reports what the policies would have done, in order, including limits', async () => {
    const file = join(dir, 'audit.jsonl')
    const lines = [
      past(1, spent),
      past(2, { ...spent, value: '1001' }),
      'broken',
      past(3, { ...spent, gas: 21_000 }), // as older records have it
      past(4, spent),
      past(5, spent),
      past(6, null, 'listing'),
      past(7, null, 'newAccount'),
    ]
    await writeFile(file, lines.join('\n'))
    const policies = (await aPolicyList().save([aPolicy()])) as readonly Policy[]

    const rows = await dryRun(policies, file)

    expect(rows.map(({ id, policy }) => [id, policy])).toEqual([
      ['r1', 'the shop'],
      ['r2', null],
      ['r3', 'the shop'],
      ['r4', 'the shop'],
      ['r5', null],
      ['r6', null],
    ])
    expect(rows[1]?.reason).toBe('the shop: it sends 0.000000000000001001 LAX, more than 0.000000000000001')
  })

  it('has no history without a file', async () => {
    expect(await dryRun([], join(dir, 'none'))).toEqual([])
  })
})
