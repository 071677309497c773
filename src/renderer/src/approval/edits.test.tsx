// Changes that the user makes before signing, and what our node says would happen.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { RequestView, TokenNameView } from '../../../contract/signer'
import type { SimulationView } from '../../../contract/signer-tools'
import { aRequest, aTransaction, OTHER_ADDRESS, OWN_ADDRESS } from '../testing/scripted-values'
import { approve, click, PASSWORD, READ_MS, senses, show, state, type } from '../testing/show-approval'

afterEach(cleanup)

const NO_EDITS = { gas: null, nonce: null, gasPrice: null, maxFeePerGas: null, maxPriorityFeePerGas: null }
const edit = (field: string, text: string) =>
  fireEvent.change(screen.getByTestId(`approval-edit-${field}`), { target: { value: text } })

async function showEditing(objection: (gas: string | null) => string = () => '') {
  const scene = await show([aRequest()])
  scene.backend.answer('signer.checkEdits', ({ edits }) => ({
    objection: objection(edits.gas),
    findings: edits.gas === '25000' ? [{ severity: 'CRITICAL', message: 'as edited' }] : [],
  }))
  fireEvent.click(screen.getByTestId('approval-edit'))
  type('approval-password', PASSWORD)
  return scene
}

describe('a changed transaction', () => {
  it('costs what the changed fields say, and is signed with them', async () => {
    const { pass, decisions, backend } = await showEditing()
    edit('gas', '30000')
    edit('gasPrice', '2.5')
    await pass(400)

    expect(screen.getByTestId('approval-fee').dataset.value).toBe(String(30_000n * 2_500_000_000n))
    expect(screen.getByTestId('approval-total').dataset.value).toBe(
      String(30_000n * 2_500_000_000n + 12_500_000_000_000_000_001n),
    )
    const edits = { ...NO_EDITS, gas: '30000', gasPrice: '2500000000' }
    expect(backend.calls.filter(({ name }) => name === 'signer.checkEdits').at(-1)?.params).toEqual({
      id: 'request-1',
      edits,
    })
    await pass(READ_MS + 1_000)
    await click()
    expect(decisions()[0]?.params).toMatchObject({ decision: 'approve', edits })
  })

  it("can't be approved while it is checked, nor if the signer refuses the change", async () => {
    const { pass, decisions } = await showEditing((gas) => (gas === '1' ? 'gas is too low' : ''))
    await pass(READ_MS + 1_000)
    edit('gas', '1')
    await pass(0)
    const checking = approve().getAttribute('aria-disabled')
    await pass(400 + READ_MS + 1_000)

    expect(checking).toBe('true')
    expect(screen.getByTestId('approval-objection').textContent).toContain('gas is too low')
    await click()
    expect(decisions()).toEqual([])
  })

  it('settles again after each change', async () => {
    const { pass } = await showEditing()
    await pass(READ_MS + 1_000)
    const before = state()
    edit('nonce', '4')
    await pass(400)

    expect([before, state()]).toEqual(['armed', 'settling'])
  })

  it.each(['', '-1', '1.5', '0x10', '18446744073709551616'])('rejects a gas limit of "%s"', async (text) => {
    const { pass, decisions } = await showEditing()
    edit('gas', text)
    await pass(READ_MS + 1_000)
    await click()

    expect(screen.getByTestId('approval-edit-gas').getAttribute('aria-invalid')).toBe('true')
    expect(decisions()).toEqual([])
  })

  it("replaces the original findings with the signer's about the edited transaction", async () => {
    const { pass } = await showEditing()
    edit('gas', '25000')
    await pass(400)
    expect(screen.getByTestId('approval-severity-0').textContent).toContain('as edited')

    fireEvent.click(screen.getByText('Reset'))
    await pass(400)
    expect(screen.queryByText('as edited')).toBeNull()
  })

  it('returns to the requested values', async () => {
    const { pass, decisions } = await showEditing()
    edit('gas', '30000')
    await pass(400)
    fireEvent.click(screen.getByText('Reset'))
    await pass(0)
    await pass(READ_MS + 1_000)
    await click()

    expect(decisions()[0]?.params).toMatchObject({ edits: null })
  })

  it('offers prices for its own type', async () => {
    const transaction = aTransaction({
      form: 'dynamicFee',
      gasPrice: null,
      maxFeePerGas: '5',
      maxPriorityFeePerGas: '1',
    })
    await show([aRequest({ transaction })])
    fireEvent.click(screen.getByTestId('approval-edit'))

    expect(screen.queryByTestId('approval-edit-gasPrice')).toBeNull()
    expect(screen.getByTestId('approval-edit-maxFeePerGas')).toHaveProperty('value', '0.000000005')
  })
})

const TYPED: NonNullable<RequestView['data']> = {
  address: OWN_ADDRESS,
  form: 'typed',
  contentType: 'data/typed',
  hashed: '0x1901',
  hash: `0x${'ab'.repeat(32)}`,
  text: null,
  messages: [],
  raw: '[]',
}

describe('the changes that our node computed', () => {
  const simulation: SimulationView = {
    outcome: 'succeeded',
    reason: '',
    gasUsed: 21_000,
    block: 42,
    tokens: [],
    moreTokens: 0,
    grants: [],
    moreGrants: 0,
    otherLogs: 0,
    balances: [
      { address: OWN_ADDRESS, change: '-12500021000000000001' },
      { address: OTHER_ADDRESS, change: '12500000000000000001' },
    ],
  }
  const showWith = async (seen: SimulationView | null, names: readonly TokenNameView[] = []) => {
    const given = senses()
    const scene = await show([], given)
    scene.backend.answer('signer.simulate', () => ({ simulation: seen, names: [...names] }))
    await act(async () => {
      scene.backend.emit('signer.requests', { waiting: [aRequest()], waitingCount: 1, takenAt: 0 })
    })
    await scene.pass(0)
    return scene
  }

  it("show exactly what each side gains and loses, and that this isn't proof", async () => {
    await showWith(simulation)

    const changes = screen.getByTestId('approval-changes')
    expect(changes.dataset.state).toBe('succeeded')
    expect(screen.getByTestId(`approval-change-${OWN_ADDRESS}`).textContent).toContain('−12.500021000000000001')
    expect(screen.getByTestId(`approval-change-${OTHER_ADDRESS}`).textContent).toContain('+12.500000000000000001')
    expect(changes.textContent).toMatch(/not a guarantee/)
  })

  it('are critical if it would fail', async () => {
    await showWith({ ...simulation, outcome: 'reverted', reason: 'execution reverted: paused' })

    expect(screen.getByTestId('approval-severity-0').dataset.state).toBe('CRITICAL')
    expect(screen.getByTestId('approval-changes').textContent).toContain('execution reverted: paused')
  })

  it('name tokens and their contract', async () => {
    const token = { contract: OTHER_ADDRESS, from: OWN_ADDRESS, to: OTHER_ADDRESS, amount: '7', isNumbered: true }
    await showWith({ ...simulation, tokens: [token], moreTokens: 3 })

    expect(screen.getByTestId('approval-token-move').textContent).toContain('#7 of token')
    expect(screen.getByTestId('approval-changes').textContent).toContain('3 more')
  })

  it('show amounts as the token claims them, and token ids as they are', async () => {
    const move = { contract: OTHER_ADDRESS, from: OWN_ADDRESS, to: OTHER_ADDRESS, amount: '1500' }
    const tokens = [
      { ...move, isNumbered: false },
      { ...move, isNumbered: true },
    ]
    await showWith({ ...simulation, tokens }, [{ contract: OTHER_ADDRESS, symbol: 'TOK', decimals: 3 }])

    const texts = screen.getAllByTestId('approval-token-move').map(({ textContent }) => textContent)
    expect(texts[0]).toMatch(/^1\.5 TOK 1,500 units/)
    expect(texts[1]).toMatch(/^ #1500 of token/)
  })

  it('name who could take tokens from then on, and how many', async () => {
    const grant = { contract: OTHER_ADDRESS, owner: OWN_ADDRESS, spender: OTHER_ADDRESS }
    const grants = [
      { ...grant, kind: 'units' as const, amount: '7' },
      { ...grant, kind: 'units' as const, amount: (2n ** 256n - 1n).toString() },
      { ...grant, kind: 'all' as const, amount: '1' },
      { ...grant, kind: 'all' as const, amount: '0' },
    ]
    await showWith({ ...simulation, grants, otherLogs: 2 })

    const texts = screen.getAllByTestId('approval-token-grant').map(({ textContent }) => textContent)
    expect(texts[0]).toMatch(/7 units/)
    expect(texts[1]).toMatch(/unlimited amount/)
    expect(texts[2]).toMatch(/all tokens/)
    expect(texts[3]).toMatch(/no longer/)
    expect(screen.getByTestId('approval-changes').textContent).toContain('2 other contract events')
  })

  it('are a table of what you hold before and after, beside a name that the token claims', async () => {
    const token = { kind: 'token', account: OWN_ADDRESS, contract: OTHER_ADDRESS, standard: 'erc20' } as const
    const allowance = {
      kind: 'allowance',
      account: OWN_ADDRESS,
      contract: OTHER_ADDRESS,
      spender: OTHER_ADDRESS,
    } as const
    const holdings: SimulationView['holdings'] = [
      { kind: 'lax', account: OWN_ADDRESS, before: '2000000000000000000', after: '1000000000000000000' },
      { ...token, before: '1500', after: null },
      { ...allowance, before: '0', after: (2n ** 256n - 1n).toString() },
      { kind: 'owner', contract: OTHER_ADDRESS, number: '7', before: OWN_ADDRESS, after: null },
    ]
    await showWith({ ...simulation, holdings, holdingsLeftOut: 3 }, [
      { contract: OTHER_ADDRESS, symbol: 'TOK', decimals: 3 },
    ])

    const cells = (kind: string) =>
      [...screen.getByTestId(`approval-holding-${kind}`).querySelectorAll('td')].map(({ textContent }) => textContent)
    expect(cells('lax')).toEqual([expect.stringMatching(/^2\sLAX/), expect.stringMatching(/^1\sLAX/)])
    expect(cells('token')).toEqual([expect.stringContaining('1.5 TOK'), 'Not readable'])
    expect(cells('allowance')).toEqual([expect.stringContaining('0'), 'Unlimited'])
    expect(cells('owner')[1]).toBe('Nobody')
    expect(screen.getByTestId('approval-changes').textContent).toContain('3 holdings')
  })

  it('of a signature say how it was tried, and one that nobody knows how to use is not called harmless', async () => {
    const typed: RequestView = { ...aRequest(), kind: 'signTypedData', transaction: null, data: TYPED }
    const ask = async (answer: object) => {
      cleanup()
      const scene = await show([], senses())
      scene.backend.answer('signer.simulate', () => answer as never)
      await act(async () => {
        scene.backend.emit('signer.requests', { waiting: [typed], waitingCount: 1, takenAt: 0 })
      })
      await scene.pass(0)
      return screen.getByTestId('approval-changes').textContent
    }

    expect(await ask({ simulation: { ...simulation, use: 'permit', holdings: [] } })).toMatch(/permit were used/)
    const failed = { ...simulation, use: 'order', outcome: 'reverted', reason: 'expired' }
    expect(await ask({ simulation: failed })).toMatch(/Can’t be used on your node now.*expired/s)
    expect(await ask({ simulation: null, lack: 'use' })).toMatch(/doesn’t know what others can do/)
  })

  it('are unknown without a node, and never look harmless', async () => {
    await showWith(null)

    expect(screen.getByTestId('approval-changes').dataset.state).toBe('unavailable')
    expect(screen.getByTestId('approval-changes').textContent).toMatch(/not simulated/)
  })
})

describe('an account whose password the vault knows', () => {
  it('needs the password all the same: only rules use the stored one', async () => {
    const { backend, pass, decisions } = await show([aRequest()])
    await act(async () => {
      backend.emit('signer.vault', { state: 'open', stored: [OWN_ADDRESS], rules: null, takenAt: 0 })
    })
    await pass(READ_MS + 1_000)
    const hasField = screen.queryByTestId('approval-password') !== null
    await click()

    expect(hasField).toBe(true)
    expect(decisions()).toEqual([])
  })
})

describe('a queue of several callers', () => {
  it("rejects all of the shown caller's after a second press", async () => {
    const other = { ...aRequest().caller, userAgent: 'someone else' }
    const requests = [aRequest(), aRequest({ id: 'b' }), aRequest({ id: 'c', caller: other })]
    const { backend } = await show(requests)
    backend.answer('signer.rejectFrom', () => ({ rejected: 2 }))
    const button = screen.getByTestId('approval-reject-caller')
    fireEvent.click(button)
    const asked = backend.calls.some(({ name }) => name === 'signer.rejectFrom')
    fireEvent.click(button)

    expect(asked).toBe(false)
    expect(backend.calls.find(({ name }) => name === 'signer.rejectFrom')?.params).toEqual({ id: 'request-1' })
  })
})
