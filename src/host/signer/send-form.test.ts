import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { SignerError } from '../../signer/errors'
import { SendRequests } from './send-form'

const FROM = `0x${'11'.repeat(20)}`
const TO = `0x${'22'.repeat(20)}`
const HASH = `0x${'ab'.repeat(32)}`
const send = { from: FROM, to: TO, value: '1000', data: '0x', nonce: 3, gas: '21000', gasPrice: '2' }

const recent = { gasPrice: 9n, source: 'recentBlocks', target: 3, estimates: [{ blocks: 3, gasPrice: null }] }
const learned = {
  gasPrice: 5n,
  source: 'waitingTimes',
  target: 3,
  estimates: [
    { blocks: 1, gasPrice: null },
    { blocks: 3, gasPrice: 5n },
  ],
}

interface Given {
  readonly sign?: () => Promise<unknown>
  readonly estimate?: () => Promise<string>
  readonly fees?: object
}

function bench(given: Given = {}) {
  const asked: unknown[] = []
  const sent: Uint8Array[] = []
  const signer = {
    signTransaction: async (transaction: unknown) => {
      asked.push(transaction)
      return (await given.sign?.()) ?? { raw: '0xc0de', tx: {} }
    },
  }
  const node = {
    addTransaction: async (raw: Uint8Array) => {
      sent.push(raw)
      return Uint8Array.from({ length: 32 }, () => 0xab)
    },
    reader: { poolNonce: async () => 7n, feeEstimates: async () => given.fees ?? recent },
    queries: () => ({ ask: given.estimate ?? (async () => '"0x5300"') }),
  }
  let count = 0
  const randomBytes = (length: number) => new Uint8Array(length).fill(count++)
  const form = new SendRequests({ signer, node, clock: new FakeClock(), randomBytes } as never)
  return { form, asked, sent }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('our own send form', () => {
  it('asks the signer, and gives the node what it signed', async () => {
    const { form, asked, sent } = bench()
    form.send(send)
    const waiting = form.sends()[0]?.state

    await settled()

    expect(waiting).toBe('waiting')
    expect(asked).toEqual([
      { from: FROM, to: TO, data: '0x', value: '0x3e8', gas: '0x5208', gasPrice: '0x2', nonce: '0x3' },
    ])
    expect(sent).toEqual([Uint8Array.of(0xc0, 0xde)])
    expect(form.sends()[0]).toMatchObject({ state: 'sent', hash: HASH })
  })

  it('gives the node nothing if the user rejects', async () => {
    const { form, sent } = bench({ sign: () => Promise.reject(new SignerError('SIGNER_REQUEST_DENIED', undefined)) })
    form.send(send)

    await settled()

    expect(sent).toEqual([])
    expect(form.sends()[0]).toMatchObject({ state: 'refused', hash: null })
  })

  it('names the blocks within which the price is confirmed, or that nobody knows', async () => {
    const draftWith = (fees: object) => bench({ fees }).form.draft(send)

    expect(await draftWith(learned)).toMatchObject({
      gasPrice: '5',
      within: 3,
      prices: [
        { blocks: 1, gasPrice: null },
        { blocks: 3, gasPrice: '5' },
      ],
    })
    expect(await draftWith(recent)).toMatchObject({
      gasPrice: '9',
      within: null,
      prices: [{ blocks: 3, gasPrice: null }],
    })
  })

  it('remembers a limited number of sends, newest first', async () => {
    const { form } = bench()
    for (let i = 0; i < 60; i++) form.send({ ...send, value: String(i) })
    await settled()

    expect(form.sends()).toHaveLength(50)
    expect(form.sends()[0]?.value).toBe('59')
  })

  it('drafts with the nonce after the pending ones, and predicts failure with its reason', async () => {
    const good = await bench().form.draft(send)
    const bad = await bench({ estimate: () => Promise.reject(new Error('execution reverted')) }).form.draft(send)

    expect(good).toMatchObject({ nonce: 7, gas: String(0x5300), gasPrice: '9', problem: '' })
    expect(bad.problem).toBe('execution reverted')
  })
})
