import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import { createLogger, type LogRecord, silentLogger } from '../../base/logger'
import { openTestChain } from '../testing/test-chain'
import { TestWallet } from '../testing/test-wallet'
import { LocalJournal } from './journal'

const HOUR_MS = 3_600_000
const local = { local: true }
const remote = { local: false }
const rich = new TestWallet(1)

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'journal-'))
  file = join(folder, 'deep', 'transactions.journal')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function journaled() {
  const test = await openTestChain()
  /** `level message` */
  const said: string[] = []
  const fields: LogRecord['fields'][] = []
  const sink = {
    write: ({ level, message, fields: told }: LogRecord) => {
      said.push(`${level} ${message}`)
      fields.push(told)
    },
  }
  const log = createLogger('test', { minLevel: 'info', now: () => 0, sink })
  const journal = new LocalJournal({ file, rotateMs: HOUR_MS }, { pool: test.pool, clock: test.clock, log })
  journal.start()
  return { ...test, said, fields, journal }
}

const lines = () => readFileSync(file, 'latin1').trim().split('\n')

describe('the journal of our own transactions', () => {
  it('restores them after a start that no stop preceded', async () => {
    const { pool } = await journaled()
    const sent = [rich.sign({ nonce: 0n, gasPrice: 0n }), rich.sign({ nonce: 2n, type: 1, gasLimit: 30_000n })]
    for (const tx of sent) pool.add(tx, local)

    const again = await journaled()

    expect(sent.map((tx) => again.pool.get(tx.hash)?.local)).toEqual([true, true])
    expect(again.pool.counts()).toEqual({ pending: 1, queued: 1 })
    expect(again.said).toEqual(['info own transactions loaded'])
  })

  it('holds none of peers, and is readable by its owner only', async () => {
    const { pool } = await journaled()
    pool.add(rich.sign(), remote)
    expect(readFileSync(file, 'latin1')).toBe('')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('drops a truncated line, and reports it once', async () => {
    const { pool } = await journaled()
    const first = rich.sign()
    pool.add(first, local)
    appendFileSync(file, toHex(rich.sign({ nonce: 1n }).raw).slice(0, 80))

    const again = await journaled()

    expect(again.pool.counts()).toEqual({ pending: 1, queued: 0 })
    expect(again.said.filter((line) => line.startsWith('warn'))).toHaveLength(1)
    expect(lines()).toEqual([toHex(first.raw)])
  })

  it('takes the whole lines of a file with any content', async () => {
    mkdirSync(join(folder, 'deep'))
    const whole = toHex(rich.sign().raw)
    writeFileSync(file, `zz\n0x\n${'00'.repeat(50)}\n${whole}\n\u0000\u0000`, 'latin1')
    const { pool } = await journaled()
    expect(pool.counts()).toEqual({ pending: 1, queued: 0 })
    expect(lines()).toEqual([whole])
  })

  it('is rewritten each hour, without those that are in blocks', async () => {
    const { chain, clock, pool, nextBlock } = await journaled()
    const [first, second] = [rich.sign(), rich.sign({ nonce: 1n })]
    pool.add(first, local)
    pool.add(second, local)
    await chain.importBlock(await nextBlock({ transactions: [first] }))
    expect(lines()).toHaveLength(2)

    clock.advance(HOUR_MS)

    expect(lines()).toEqual([toHex(second.raw)])
    pool.add(rich.sign({ nonce: 2n }), local)
    expect(lines()).toHaveLength(2)
  })

  it('drops at startup what was included before', async () => {
    const { pool, nextBlock } = await journaled()
    const first = rich.sign()
    pool.add(first, local)
    const block = await nextBlock({ transactions: [first] })
    const other = await openTestChain()
    await other.chain.importBlock(block)

    const deps = { pool: other.pool, clock: other.clock, log: silentLogger }
    const journal = new LocalJournal({ file, rotateMs: HOUR_MS }, deps)
    journal.start()

    expect(other.pool.counts()).toEqual({ pending: 0, queued: 0 })
    expect(readFileSync(file, 'latin1')).toBe('')
    journal.stop()
  })

  it('keeps a file of something else beside its own: a wrong --txpool.journal destroys nothing', async () => {
    mkdirSync(join(folder, 'deep'))
    const foreign = Buffer.from('f86b8001', 'hex')
    writeFileSync(file, foreign, { mode: 0o600 })
    const { said } = await journaled()
    expect(readFileSync(`${file}.unreadable`)).toEqual(foreign)
    expect(said).toEqual(['warn lines of the journal of own transactions cannot be read; the file is kept beside it'])
  })

  it("isn't written over lines that can't be kept", async () => {
    mkdirSync(`${file}.unreadable`, { recursive: true })
    writeFileSync(file, 'a key of somebody\n')
    const { pool, said } = await journaled()
    expect(pool.add(rich.sign(), local).ok).toBe(true)
    expect(readFileSync(file, 'latin1')).toBe('a key of somebody\n')
    expect(said).toEqual(['warn own transactions are not kept for the next start'])
  })

  it('names what the pool refuses now, and why', async () => {
    mkdirSync(join(folder, 'deep'))
    const poor = [0n, 1n].map((nonce) => new TestWallet(9).sign({ nonce }))
    writeFileSync(file, poor.map(({ raw }) => `${toHex(raw)}\n`).join(''))
    const { fields } = await journaled()
    const reason = 'insufficient funds for gas * price + value'
    expect(fields).toContainEqual({ reason, transactions: 2, first: toHex(poor[0]?.hash ?? new Uint8Array(0)) })
  })

  it("doesn't change an unreadable file, and the pool continues", async () => {
    mkdirSync(file, { recursive: true })
    const { pool, said } = await journaled()
    expect(pool.add(rich.sign(), local).ok).toBe(true)
    expect(said).toEqual(['warn own transactions are not kept for the next start'])
    expect(statSync(file).isDirectory()).toBe(true)
  })

  it("continues with the old file while a new one can't be written", async () => {
    const { clock, pool, said } = await journaled()
    pool.add(rich.sign(), local)
    mkdirSync(`${file}.new`)
    clock.advance(2 * HOUR_MS)
    expect(said).toEqual(['warn own transactions are not kept for the next start'])
    pool.add(rich.sign({ nonce: 1n }), local)
    expect(lines()).toHaveLength(2)

    rmSync(`${file}.new`, { recursive: true })
    clock.advance(HOUR_MS)

    expect(lines()).toHaveLength(2)
    expect(said).toHaveLength(1)
  })

  it('restores the first ones completely, wherever the file was cut', async () => {
    const { pool } = await journaled()
    const sent = [0n, 1n, 2n].map((nonce) => rich.sign({ nonce }))
    for (const tx of sent) pool.add(tx, local)
    const whole = readFileSync(file)
    for (let cut = 0; cut < whole.length; cut += 41) {
      writeFileSync(file, whole.subarray(0, cut))
      const again = await journaled()
      const complete = whole.subarray(0, cut).toString('latin1').split('\n').length - 1
      expect(again.pool.counts()).toEqual({ pending: complete, queued: 0 })
      again.journal.stop()
    }
  })

  it('writes nothing more and leaves no timer when stopped', async () => {
    const { clock, pool, journal } = await journaled()
    journal.stop()
    pool.add(rich.sign(), local)
    expect(readFileSync(file, 'latin1')).toBe('')
    expect(clock.pending).toBe(0)
    expect(existsSync(`${file}.new`)).toBe(false)
  })
})
