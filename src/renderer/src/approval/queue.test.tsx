// Several requests, and those that aren't a transaction.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { aRequest, aTransaction, OTHER_ADDRESS, OWN_ADDRESS } from '../testing/scripted-values'
import { approve, click, queue, READ_MS, show, state, type } from '../testing/show-approval'
import { SETTLE_MS } from './machine'

afterEach(cleanup)

describe('the queue', () => {
  it('keeps what is shown when another request arrives', async () => {
    const { backend, pass } = await show([aRequest()])
    await pass(SETTLE_MS)

    const newcomer = aRequest({
      id: 'request-2',
      kind: 'listing',
      transaction: null,
      accounts: [{ address: OWN_ADDRESS }],
    })
    await act(async () => void queue(backend, aRequest(), newcomer))

    expect(screen.getByTestId('approval-kind').dataset.state).toBe('signTransaction')
    expect(screen.getByTestId('approval-queue').textContent).toBe('1 of 2 waiting')
  })

  it('shows the next one shortly after the first was decided, and settles again', async () => {
    const second = aRequest({ id: 'request-2', nonce: 'n2', transaction: aTransaction({ value: '7' }) })
    const { backend, pass } = await show([aRequest(), second])
    await pass(SETTLE_MS)
    await act(async () => void fireEvent.click(screen.getByTestId('approval-reject')))
    await act(async () => void queue(backend, second))
    expect(state()).toBe('refused')

    await pass(3000)

    expect(screen.getByTestId('approval-value').dataset.value).toBe('7')
    expect(state()).toBe('settling')
  })

  it('asks once more before rejecting all', async () => {
    const { backend } = await show([aRequest(), aRequest({ id: 'request-2' })])

    fireEvent.click(screen.getByTestId('approval-reject-all'))
    expect(backend.calls.some(({ name }) => name === 'signer.rejectAll')).toBe(false)
    await act(async () => void fireEvent.click(screen.getByTestId('approval-reject-all')))

    expect(backend.calls.some(({ name }) => name === 'signer.rejectAll')).toBe(true)
  })

  it('says where to approve if it may not show the request', async () => {
    const { backend } = await show([])
    await act(async () => void backend.emit('signer.requests', { waiting: [], waitingCount: 1, takenAt: 0 }))

    expect(screen.getByText('1 request is waiting: approve it on the computer running Headframe')).toBeTruthy()
  })
})

describe('other kinds', () => {
  it('shares only ticked addresses, none at first', async () => {
    const accounts = [{ address: OWN_ADDRESS }, { address: OTHER_ADDRESS }]
    const { pass, decisions } = await show([aRequest({ kind: 'listing', transaction: null, accounts })])
    await pass(SETTLE_MS + READ_MS)
    expect(approve().textContent).toBe('Share 0 of 2 addresses')

    fireEvent.click(screen.getByTestId(`approval-account-${OTHER_ADDRESS}`))
    await click()

    expect(decisions().map(({ params }) => params)).toMatchObject([{ accounts: [OTHER_ADDRESS], password: null }])
  })

  it('shares nothing while no address is ticked', async () => {
    const { pass, decisions } = await show([
      aRequest({ kind: 'listing', transaction: null, accounts: [{ address: OWN_ADDRESS }] }),
    ])
    await pass(SETTLE_MS + READ_MS)

    await click()

    expect(decisions()).toEqual([])
  })

  it.each([
    ['short', 'short'],
    ['pässword long', 'pässword long'],
    ['long enough 1', 'long enough 2'],
  ])("doesn't create an account with the passwords %s and %s", async (first, second) => {
    const { pass, decisions } = await show([aRequest({ kind: 'newAccount', transaction: null })])
    type('approval-password', first)
    type('approval-password-repeat', second)
    await pass(SETTLE_MS + READ_MS)

    await click()

    expect(decisions()).toEqual([])
  })

  it('creates an account with a good password typed twice', async () => {
    const { pass, decisions } = await show([aRequest({ kind: 'newAccount', transaction: null })])
    type('approval-password', 'long enough 1')
    type('approval-password-repeat', 'long enough 1')
    await pass(SETTLE_MS + READ_MS)

    await click()

    expect(decisions()).toHaveLength(1)
    expect(screen.getByTestId('approval-result').textContent).toContain('Account created')
  })
})
