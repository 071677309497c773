// Everything that is signed has to be on the screen before it can be signed: fields that were skipped, and parts that
// are folded or cut off, count as unread.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { DataRequestView, RequestView, TransactionRequestView } from '../../../contract/signer'
import { aRequest, aTransaction, OWN_ADDRESS } from '../testing/scripted-values'
import { approve, click, PASSWORD, queue, READ_MS, show, type } from '../testing/show-approval'
import { SETTLE_CRITICAL_MS, SETTLE_MS } from './machine'

const ROW_PX = 33
const VIEW_PX = 400
const view = { top: 0 }

/** Lays out the fields as rows of one height, above the end mark, in a view that shows twelve of them. */
function layOut(this: HTMLElement): DOMRect {
  const body = this.closest('#approval-body')
  if (this === body) return DOMRect.fromRect({ y: 0, height: VIEW_PX })
  const rows = [...(body?.querySelectorAll<HTMLElement>('[data-field]') ?? [])]
  const index = rows.indexOf(this)
  const end = (index === -1 ? rows.length : index + 1) * ROW_PX - view.top
  return DOMRect.fromRect({ y: end - ROW_PX, height: ROW_PX })
}

beforeEach(() => {
  view.top = 0
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockImplementation(layOut)
})
afterEach(() => {
  vi.restoreAllMocks()
  cleanup()
})

const leaf = (name: string, value: string) => ({ name, value, type: 'string' })
const typed = (messages: DataRequestView['messages']): RequestView =>
  aRequest({
    kind: 'signTypedData',
    transaction: null,
    data: {
      address: OWN_ADDRESS,
      form: 'typed',
      contentType: 'data/typed',
      hashed: '0x1901',
      hash: `0x${'ab'.repeat(32)}`,
      text: null,
      messages,
      raw: '[]',
    },
  })
const orders = (count: number): RequestView =>
  typed([
    {
      name: 'Orders',
      type: 'primary type',
      value: [
        {
          name: 'items',
          type: 'string[]',
          value: Array.from({ length: count }, (_, at) => leaf(`[${at}]`, `order ${at}`)),
        },
      ],
    },
  ])

const scrollTo = (top: number) =>
  act(async () => {
    view.top = top
    const body = document.getElementById('approval-body')
    if (body !== null) {
      Object.defineProperty(body, 'scrollTop', { value: top, configurable: true, writable: true })
      fireEvent.scroll(body)
    }
  })

describe('a document', () => {
  it("can't be signed while one of its fields wasn't on the screen", async () => {
    const { pass, decisions } = await show([orders(60)])
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS + READ_MS)
    expect(approve().textContent).toBe('48 more fields to read')

    await scrollTo(1000) // to field 42; those from 30 to 42 were in view, those from 12 to 30 weren't
    await scrollTo(60 * ROW_PX - VIEW_PX)
    await pass(READ_MS)
    expect(approve().textContent).toMatch(/^\d+ more fields to read$/)
    await click()
    expect(decisions()).toEqual([])

    for (let top = 0; top <= 60 * ROW_PX - VIEW_PX; top += VIEW_PX - ROW_PX) await scrollTo(top)
    await scrollTo(60 * ROW_PX - VIEW_PX)
    await pass(READ_MS + SETTLE_MS)
    expect(approve().textContent).toBe('Sign')
    await click()
    expect(decisions()).toHaveLength(1)
  })

  it('shows nothing folded: each element of each list is a field, and an empty one says so', async () => {
    await show([
      typed([
        {
          name: 'Orders',
          type: 'primary type',
          value: [{ name: 'none', type: 'string[]', value: [] }, leaf('note', 'x')],
        },
      ]),
    ])

    const fields = screen.getByTestId('approval-typed')
    expect(fields.querySelectorAll('details')).toHaveLength(0)
    expect([...fields.querySelectorAll('[data-field]')].map(({ textContent }) => textContent)).toEqual([
      'none string[](empty)',
      'note stringx',
    ])
    expect(fields.textContent).toContain('Everything you sign, 2 fields')
  })

  it('has to be read again if it changes', async () => {
    const { backend, pass } = await show([orders(10)])
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS + READ_MS)
    expect(approve().textContent).toBe('Sign')

    await act(async () => void queue(backend, { ...orders(40), contentHash: 'another' }))
    await pass(READ_MS)
    expect(approve().textContent).toBe('28 more fields to read')
  })

  it('is scrolled on by a press of the button, which signs only after it settled again', async () => {
    const { pass, decisions } = await show([orders(20)])
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS + READ_MS)
    const body = document.getElementById('approval-body')
    Object.defineProperties(body, {
      clientHeight: { value: VIEW_PX, configurable: true },
      scrollHeight: { value: 20 * ROW_PX, configurable: true },
      scrollTop: { value: 0, configurable: true, writable: true },
    })

    await click()
    expect(body?.scrollTop).toBeGreaterThan(VIEW_PX / 2)
    await scrollTo(20 * ROW_PX - VIEW_PX)
    await pass(READ_MS)
    expect(approve().textContent).toBe('Sign')
    await click()
    expect(decisions()).toEqual([])
    await pass(SETTLE_MS)
    await click()
    expect(decisions()).toHaveLength(1)
  })
})

describe('what is cut off', () => {
  const cases: readonly (readonly [string, Partial<TransactionRequestView>, string])[] = [
    ['call data that nobody decoded', { data: `0x${'ab'.repeat(600)}` }, 'Show all 1,202 characters'],
    [
      'an argument',
      {
        data: '0x12345678',
        call: {
          signature: 'f(string)',
          name: 'f',
          arguments: [{ type: 'string', value: 'x'.repeat(5_000) }],
          namedBy: 'caller',
        },
      },
      'Show all 5,000 characters',
    ],
    [
      'an access list',
      { accessList: Array.from({ length: 60 }, () => ({ address: OWN_ADDRESS, storageKeys: [] })), form: 'accessList' },
      'Show all 60 addresses',
    ],
  ]

  it.each(cases)('counts as unread: %s', async (_what, change, button) => {
    const { pass } = await show([aRequest({ transaction: aTransaction(change) })])
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS + READ_MS)
    expect(approve().textContent).toBe('Read to the end')

    await act(async () => void fireEvent.click(screen.getByRole('button', { name: button })))
    await pass(SETTLE_MS + READ_MS)
    expect(approve().textContent).not.toBe('Read to the end')
  })

  it('counts as unread: the end of a warning', async () => {
    const long = { severity: 'WARNING' as const, message: `first ${'x'.repeat(2_100)} last` }
    const { pass } = await show([aRequest({ findings: [long] })])
    type('approval-password', PASSWORD)
    await pass(SETTLE_CRITICAL_MS + READ_MS)

    expect(approve().textContent).toBe('Read to the end')
  })
})
