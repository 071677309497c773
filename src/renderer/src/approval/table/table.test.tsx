// Many payments of one caller, answered together: what is signed, what is left out, and the cost of a mistake.
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { FactsView } from '../../../../contract/signer'
import type { SimulationView } from '../../../../contract/signer-tools'
import { aRequest, aTransaction, OTHER_ADDRESS } from '../../testing/scripted-values'
import { approve, click, PASSWORD, queue, READ_MS, show, type } from '../../testing/show-approval'
import { SETTLE_MS } from '../machine'

afterEach(cleanup)

const payments = ['1', '2', '3'].map((id) =>
  aRequest({
    id: `request-${id}`,
    nonce: `nonce-${id}`,
    contentHash: `content-${id}`,
    transaction: aTransaction({
      value: `${id}00`,
      nonce: String(2 + Number(id)),
      maximumFee: '1',
      maximumTotal: `${id}01`,
    }),
  }),
)
const seen = (id: string) => ({ id: `request-${id}`, nonce: `nonce-${id}`, contentHash: `content-${id}` })
const FACTS: FactsView = {
  node: null,
  history: { count: 2, lastAt: 1 },
  payees: [],
  lookalike: null,
  unchecked: [],
  callerPerMinute: 1,
}

interface Scene {
  readonly requests?: typeof payments
  readonly facts?: (id: string) => FactsView
  readonly outcome?: (id: string) => SimulationView['outcome']
}

/** The table of all payments, read and with its password typed. */
async function table({ requests = payments, facts = () => FACTS, outcome = () => 'succeeded' }: Scene = {}) {
  const scene = await show(requests)
  const { backend, pass } = scene
  backend.answer('signer.facts', ({ id }) => ({ facts: facts(id) }))
  backend.answer('signer.simulate', ({ id }) => ({ simulation: aSimulation(outcome(id)) }))
  backend.answer('signer.decideMany', ({ requests: asked, decision }) => ({
    outcomes: asked.map(({ id }) => ({ id, state: decision === 'approve' ? 'signed' : 'rejected', error: '' })),
  }))
  await act(async () => void fireEvent.click(screen.getByTestId('approval-together')))
  type('approval-password', PASSWORD)
  await pass(SETTLE_MS + READ_MS)
  return {
    ...scene,
    asked: () => backend.calls.filter(({ name }) => name === 'signer.decideMany').map(({ params }) => params),
  }
}

const aSimulation = (outcome: SimulationView['outcome']): SimulationView => ({
  outcome,
  reason: '',
  gasUsed: 21_000,
  balances: [],
  tokens: [],
  moreTokens: 0,
  grants: [],
  moreGrants: 0,
  otherLogs: 0,
  block: 1,
})

const value = (testId: string): string | undefined => screen.getByTestId(testId).dataset.value
const row = (id: string) => within(screen.getByTestId(`together-row-request-${id}`))
const tick = (id: string) => row(id).getByRole<HTMLInputElement>('checkbox')

describe('payments together', () => {
  it('are one line of the queue, with their total, and open as a table', async () => {
    const { pass } = await show(payments)
    expect(screen.getByTestId('approval-together').textContent).toContain('3 payments together')
    await act(async () => void fireEvent.click(screen.getByTestId('approval-together')))
    await pass(0)

    expect([value('together-count'), value('together-sum'), value('together-fee'), value('together-total')]).toEqual([
      '3',
      '600',
      '3',
      '603',
    ])
    expect(screen.queryByTestId('approval-together')).toBeNull()
  })

  it('are signed with one password and one press, each with its own nonce and content', async () => {
    const { asked } = await table()

    await click()

    expect(asked()).toEqual([
      { requests: [seen('1'), seen('2'), seen('3')], decision: 'approve', password: btoa(PASSWORD) },
    ])
    expect(screen.getByTestId('approval-result').textContent).toContain('3 payments signed.')
  })

  it('say that they are being signed, not that a password is missing', async () => {
    const { backend } = await table()
    backend.answer('signer.decideMany', () => new Promise<never>(() => undefined))

    await click()

    expect(document.getElementById('approval-missing')?.textContent).toBe('Working…')
  })

  it("exclude what isn't ticked, which still waits", async () => {
    const { asked, pass } = await table()
    fireEvent.click(tick('2'))
    expect(value('together-sum')).toBe('400')
    await pass(SETTLE_MS + READ_MS)

    await click()

    expect(asked()).toMatchObject([{ requests: [seen('1'), seen('3')] }])
  })

  it('settle again after each choice, so that nothing unseen is signed', async () => {
    const { asked } = await table()
    fireEvent.click(tick('2'))

    await click()

    expect(asked()).toEqual([])
  })

  it('put an unusual one first, and never sign one that would fail', async () => {
    const { asked } = await table({
      facts: (id) => (id === 'request-3' ? { ...FACTS, history: { count: 0, lastAt: null } } : FACTS),
      outcome: (id) => (id === 'request-2' ? 'reverted' : 'succeeded'),
    })
    const rows = screen.getAllByTestId(/^together-row-/).map((each) => each.dataset.testid?.slice(-1))

    expect(rows).toEqual(['2', '3', '1'])
    expect(tick('2').disabled).toBe(true)
    await click()
    expect(asked()).toMatchObject([{ requests: [seen('3'), seen('1')] }])
  })

  it('wait until the node has checked each', async () => {
    const { backend, pass } = await show(payments)
    backend.answer('signer.facts', () => new Promise(() => undefined))
    backend.answer('signer.simulate', () => new Promise(() => undefined))
    await act(async () => void fireEvent.click(screen.getByTestId('approval-together')))
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS + READ_MS)

    await click()

    expect(screen.getByText('Checking 0 of 3 payments…')).toBeTruthy()
    expect(backend.calls.some(({ name }) => name === 'signer.decideMany')).toBe(false)
  })

  it("aren't signed if they cost more together than the balance", async () => {
    const rich = payments.map((request) => ({
      ...request,
      transaction: aTransaction({ ...request.transaction, maximumTotal: `400000${'0'.repeat(18)}` }),
    }))
    const { asked } = await table({ requests: rich })

    await click()

    expect(asked()).toEqual([])
    expect(document.getElementById('approval-missing')?.textContent).toContain('is available')
  })

  it('ask for the password again after a wrong one, and keep the choice', async () => {
    const { backend, asked, pass } = await table()
    backend.answer('signer.decideMany', () => ({
      outcomes: [{ id: 'request-1', state: 'waiting', error: 'wrong one' }],
    }))
    await click()
    expect(screen.getByText('wrong one')).toBeTruthy()
    expect(screen.getByTestId<HTMLInputElement>('approval-password').value).toBe('')

    backend.answer('signer.decideMany', ({ requests }) => ({
      outcomes: requests.map(({ id }) => ({ id, state: 'signed', error: '' })),
    }))
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS + READ_MS)
    await click()

    expect(asked()).toHaveLength(2)
    expect(screen.getByTestId('approval-result').textContent).toContain('3 payments signed')
  })

  it("say which of them weren't signed, and why", async () => {
    const { backend } = await table()
    backend.answer('signer.decideMany', () => ({
      outcomes: [
        { id: 'request-1', state: 'signed', error: '' },
        { id: 'request-2', state: 'failed', error: 'the caller has left' },
        { id: 'request-3', state: 'signed', error: '' },
      ],
    }))

    await click()

    expect(screen.getByTestId('approval-result').textContent).toContain('2 payments signed, 1 not signed.')
    expect(row('2').getByText('the caller has left')).toBeTruthy()
  })

  it('drop one whose caller has left, and settle again', async () => {
    const { backend, asked, pass } = await table()
    await act(async () => void queue(backend, ...payments.slice(1)))
    await click()
    expect(asked()).toEqual([])
    expect(value('together-sum')).toBe('500')

    await pass(SETTLE_MS + READ_MS)
    await click()

    expect(asked()).toMatchObject([{ requests: [seen('2'), seen('3')] }])
  })

  it("don't include one that arrives later", async () => {
    const { backend, asked } = await table()
    const late = aRequest({
      id: 'request-4',
      nonce: 'nonce-4',
      transaction: aTransaction({ to: OTHER_ADDRESS, value: '9' }),
    })
    await act(async () => void queue(backend, ...payments, late))

    await click()

    expect(asked()).toMatchObject([{ requests: [seen('1'), seen('2'), seen('3')] }])
  })

  it('are rejected together after a second press', async () => {
    const { asked } = await table()
    fireEvent.click(screen.getByTestId('together-reject'))
    expect(asked()).toEqual([])

    await act(async () => void fireEvent.click(screen.getByTestId('together-reject')))

    expect(asked()).toEqual([{ requests: [seen('1'), seen('2'), seen('3')], decision: 'reject', password: null }])
    expect(screen.getByTestId('approval-result').textContent).toContain('Nothing was signed')
  })

  it('return to the list of all by Esc or the button, and nothing is decided', async () => {
    const { backend } = await table()
    await act(async () => void fireEvent.keyDown(document, { key: 'Escape' }))
    expect(screen.getByTestId('approval-list')).toBeTruthy()

    await act(async () => void fireEvent.click(screen.getByTestId('approval-together')))
    await act(async () => void fireEvent.click(screen.getByTestId('approval-one-by-one')))

    expect(screen.getByTestId('approval-list')).toBeTruthy()
    expect(backend.calls.some(({ name }) => name.startsWith('signer.decide'))).toBe(false)
  })

  it('can be looked at alone', async () => {
    await table()

    await act(async () => void fireEvent.click(row('2').getByRole('button')))

    expect(value('approval-value')).toBe('200')
    expect(approve().textContent).toContain('Sign')
  })
})
