// Several requests, and those that aren't a transaction.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { approvedChangeHash, changeText } from '../../../base/approvals'
import type { DataRequestView } from '../../../contract/signer'
import { aRequest, aTransaction, OTHER_ADDRESS, OWN_ADDRESS } from '../testing/scripted-values'
import { approve, click, pageKeys, queue, READ_MS, senses, show, state, type } from '../testing/show-approval'
import { SETTLE_MS } from './machine'

afterEach(cleanup)

const NOW = 1_700_000_000_000
const open = (group: number) =>
  act(async () => void fireEvent.click(screen.getAllByTestId('approval-open')[group] ?? document.body))
const someText = (text: string): DataRequestView => ({
  address: OWN_ADDRESS,
  form: 'text',
  contentType: 'text/plain',
  hashed: '0x1944',
  messages: [],
  raw: '[]',
  hash: `0x${'ab'.repeat(32)}`,
  text,
})

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
    await open(0)
    await pass(SETTLE_MS)
    await act(async () => void fireEvent.click(screen.getByTestId('approval-reject')))
    await act(async () => void queue(backend, second))
    expect(state()).toBe('refused')

    await pass(3000)

    expect(screen.getByTestId('approval-value').dataset.value).toBe('7')
    expect(state()).toBe('settling')
  })

  it('lists a program that changes its name as one caller, with its other names', async () => {
    const process = { pid: 7, name: 'node', path: '/usr/bin/node' }
    const named = (id: string, userAgent: string) =>
      aRequest({ id, caller: { ...aRequest().caller, userAgent, process } })
    await show([named('1', 'payroll'), named('2', 'wallet'), named('3', 'payroll')])
    await act(async () => void fireEvent.click(screen.getByTestId('approval-queue')))

    expect(screen.getAllByTestId('approval-group')).toHaveLength(1)
    expect(screen.getByTestId('approval-other-names').textContent).toBe('Also calls itself wallet')
  })

  it('says in a line what a document does, with names or short addresses', async () => {
    const text = (name: string, value: string) => ({ name, value, type: 'x' })
    const messages = [
      { name: 'EIP712Domain', type: 'domain', value: [text('verifyingContract', `0x${'7'.repeat(40)}`)] },
      { name: 'Permit', type: 'primary type', value: [text('spender', OTHER_ADDRESS), text('allowed', 'true')] },
    ]
    const data: DataRequestView = { ...someText(''), form: 'typed', text: null, messages }
    await show([aRequest({ id: '1', kind: 'signTypedData', transaction: null, data }), aRequest({ id: '2' })])
    await act(async () => void fireEvent.click(screen.getByTestId('approval-queue')))

    const said = screen.getByTestId('approval-group').textContent
    expect(said).toContain('0x777777…7777')
    expect(said).not.toMatch(/0x[0-9a-fA-F]{40}/)
  })

  it('counts those that come later, which are rejected with the others', async () => {
    const waiting = [aRequest({ id: '1' }), aRequest({ id: '2' })]
    const { backend } = await show(waiting)
    act(() => void backend.emit('signer.requests', { waiting, waitingCount: 200, takenAt: 0 }))
    await act(async () => void fireEvent.click(screen.getByTestId('approval-queue')))

    expect(screen.getByTestId('approval-queue').textContent).toBe('200 requests waiting')
    expect(screen.getByTestId('approval-list').textContent).toContain('198 more follow once these are decided')
    expect(screen.getByTestId('approval-reject-all').textContent).toContain('200')
  })

  it('lists several by caller: own first, then the riskiest, with what each wants', async () => {
    const caller = (userAgent: string) => ({
      ...aRequest().caller,
      userAgent,
      process: { pid: 7, name: 'node', path: '' },
    })
    const nameless = { ...aRequest().caller, userAgent: '', origin: '', process: null }
    const text = (id: string, words: string) =>
      aRequest({ id, kind: 'signData', transaction: null, caller: caller('nightly'), data: someText(words) })
    const grant = aTransaction({
      value: '0',
      data: '0x095ea7b3',
      call: {
        signature: 'approve(address,uint256)',
        name: 'approve',
        arguments: [
          { type: 'address', value: OTHER_ADDRESS },
          { type: 'uint256', value: (2n ** 256n - 1n).toString() },
        ],
        namedBy: 'database',
      },
    })
    await show([
      text('1', 'Nightly report, rack 00\nsecond line'),
      text('2', 'Nightly report, rack 01\u202e'),
      aRequest({ id: '3', caller: caller('payroll'), createdAt: NOW - 180_000 }),
      aRequest({ id: '4', caller: nameless, transaction: grant, findings: [{ severity: 'CRITICAL', message: 'no' }] }),
      aRequest({ id: '5', caller: { ...aRequest().caller, transport: 'app' } }),
    ])

    expect(screen.getByTestId('approval-queue').textContent).toBe('5 requests waiting')
    const groups = screen.getAllByTestId('approval-group')
    expect(groups.map(({ dataset }) => dataset.state)).toEqual(['own', 'risky', 'plain', 'plain'])
    const texts = groups.map(({ textContent }) => (textContent ?? '').replaceAll('\u00a0', ' '))
    expect(texts[0]).toContain('12.500000000000000001 LAX to 0x5aaeb6…eaed')
    expect(texts[1]).toMatch(/No name given.*1 token allowance.*Unlimited 0x5aaeb6…eaed to 0x5aaeb6…eaed/)
    expect(texts[2]).toMatch(
      /node \(process 7\)nightly self-reported.*2 messages to sign.*Nightly report, rack 00Nightly/,
    )
    expect(texts[2]).toContain('rack 01U+202E')
    expect(texts[2]).not.toContain('second line')
    expect(texts[3]).toContain('1 payment, 12.500000000000000001 LAX')
  })

  it('goes from a finished request to the next of the same caller, and back to the list at the last', async () => {
    const other = { ...aRequest().caller, userAgent: 'other' }
    const requests = [
      aRequest({ id: 'a1', nonce: 'a1' }),
      aRequest({ id: 'b1', nonce: 'b1', caller: other }),
      aRequest({ id: 'b2', nonce: 'b2', caller: other }),
      aRequest({ id: 'a2', nonce: 'a2', transaction: aTransaction({ value: '7' }) }),
    ]
    const { backend, pass } = await show(requests)
    await open(0)
    await act(async () => void fireEvent.click(screen.getByTestId('approval-reject')))
    await act(async () => void queue(backend, ...requests.slice(1)))
    await pass(3000)
    expect(screen.getByTestId('approval-value').dataset.value).toBe('7')

    await act(async () => void fireEvent.click(screen.getByTestId('approval-reject')))
    await act(async () => void queue(backend, ...requests.slice(1, 3)))
    await pass(3000)

    expect(screen.getAllByTestId('approval-group')).toHaveLength(1)
  })

  it('rejects all of one caller after a second press', async () => {
    const other = { ...aRequest().caller, userAgent: 'other' }
    const { backend } = await show([
      aRequest(),
      aRequest({ id: '2', caller: other }),
      aRequest({ id: '3', caller: other }),
    ])
    backend.answer('signer.rejectFrom', () => ({ rejected: 2 }))

    fireEvent.click(screen.getByTestId('approval-reject-caller'))
    // More of the caller's may wait than are shown.
    expect(screen.getByTestId('approval-reject-caller').textContent).toBe('Reject all from this caller now')
    await act(async () => void fireEvent.click(screen.getByTestId('approval-reject-caller')))

    expect(backend.calls.filter(({ name }) => name === 'signer.rejectFrom').map(({ params }) => params)).toEqual([
      { id: '2' },
    ])
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

  it('seals its password for a new account and nothing else', async () => {
    const scene = await show([aRequest({ kind: 'newAccount', transaction: null })], senses(), pageKeys())
    type('approval-password', 'long enough 1')
    type('approval-password-repeat', 'long enough 1')
    await scene.pass(SETTLE_MS + READ_MS)

    await click()

    const sent = Object(scene.decisions()[0]?.params)
    expect(sent).toMatchObject({ password: null, approval: { kind: 'sealed' } })
    const contents = [approvedChangeHash(changeText({ change: 'create' }))]
    expect(JSON.parse(sent.approval.statement)).toEqual({ contents, keepMinutes: 0, page: null })
  })
})
