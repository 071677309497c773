// The approval rules that need a page: what is shown, what is requested, what restarts settling.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { DataRequestView, FactsView, RequestView } from '../../../contract/signer'
import type { ScriptedBackend } from '../testing/scripted'
import { aBalance, aRequest, aTransaction, OTHER_ADDRESS, OWN_ADDRESS } from '../testing/scripted-values'
import { approve, click, PASSWORD, queue, READ_MS, show, state, type } from '../testing/show-approval'
import { SETTLE_CRITICAL_MS, SETTLE_MS } from './machine'
import { FIRST_DRAWING_MS } from './use-approval'

afterEach(cleanup)

const NOW = 1_700_000_000_000
const FACTS: FactsView = {
  node: { codeBytes: 0, gasPrice: '1000000000', estimate: '21000', replaces: null },
  history: { count: 12, lastAt: Date.UTC(2026, 4, 6, 12) },
  payees: [],
  lookalike: null,
  unchecked: [],
  callerPerMinute: 1,
}

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
const dataRequest = (text: string): RequestView =>
  aRequest({ kind: 'signData', transaction: null, data: someText(text) })
const late = async (backend: ScriptedBackend, ...requests: readonly RequestView[]): Promise<void> =>
  act(async () => void queue(backend, ...requests))
const push = (testId: string): Promise<void> => act(async () => void fireEvent.click(screen.getByTestId(testId)))

describe('what our node and the audit log know', () => {
  const showKnowing = async (facts: FactsView) => {
    const scene = await show([])
    scene.backend.answer('signer.facts', () => ({ facts }))
    await late(scene.backend, aRequest())
    await scene.pass(0)
    return scene
  }

  it('says how often the destination was used, or that it never was', async () => {
    await showKnowing(FACTS)
    expect(screen.getByTestId('approval').textContent).toContain('used 12 times, last on May 6, 2026')
    cleanup()

    await showKnowing({ ...FACTS, history: { count: 0, lastAt: null } })
    expect(screen.getByTestId('approval').textContent).toContain('first use')
    expect(screen.getByTestId('approval').textContent).toContain('First payment to this address')
  })

  it('is waited for: an unanswered question is no answer', async () => {
    const scene = await show([])
    let answerFacts = (_answer: { facts: FactsView }): void => undefined
    const answered = new Promise<{ facts: FactsView }>((done) => {
      answerFacts = done
    })
    scene.backend.answer('signer.facts', () => answered)
    await late(scene.backend, aRequest())
    await scene.pass(READ_MS)
    expect(screen.getByTestId('approval').textContent).toContain('Checking this request…')

    answerFacts({ facts: FACTS })
    await scene.pass(0)
    expect(screen.getByTestId('approval').textContent).not.toContain('Checking this request…')
  })

  it('is a warning when it can’t be looked up', async () => {
    const scene = await show([])
    scene.backend.answer('signer.facts', () => Promise.reject(new Error('gone')))
    await late(scene.backend, aRequest())
    await scene.pass(0)

    expect(screen.getByTestId('approval').textContent).toContain('couldn’t look this request up')
  })

  it('shows token amounts as their contracts claim, beside the exact units and the full address', async () => {
    const other = `0x${'22'.repeat(20)}`
    const units = { kind: 'transfer' as const, to: OWN_ADDRESS, amount: '12500000' }
    await showKnowing({
      ...FACTS,
      tokens: [
        { ...units, contract: OTHER_ADDRESS },
        { ...units, kind: 'grant', contract: other },
        { ...units, contract: `0x${'33'.repeat(20)}` },
      ],
      names: [
        { contract: OTHER_ADDRESS, symbol: 'TOK', decimals: 6 },
        { contract: other, symbol: 'TOK', decimals: null },
        { contract: `0x${'33'.repeat(20)}`, symbol: '', decimals: null },
      ],
    })

    const texts = screen.getAllByTestId('approval-token-amount').map(({ textContent }) => textContent ?? '')
    expect(texts).toHaveLength(3)
    expect(texts[2]).toMatch(/Transfers\s+12,500,000 units of token 0x3333 3333/)
    expect(screen.queryByTestId('approval-token-hero')).toBeNull()
    expect(texts[0]).toMatch(/Transfers 12\.5 TOK 12,500,000 units of token 0x5aAe b605/)
    expect(texts[1]).toMatch(/Allows spending TOK 12,500,000 units of token 0x2222 2222/)
    expect(screen.getAllByTestId('approval-token-amount')[0]?.querySelector('q')?.textContent).toBe('TOK')
    expect(screen.getByTestId('approval-tokens').textContent).toContain('the token’s contract claims')
  })

  it('is one amount of tokens, large, and names who gets them also where the contract claims nothing', async () => {
    const amount = { kind: 'transfer' as const, contract: OTHER_ADDRESS, to: OWN_ADDRESS, amount: '12500000' }
    await showKnowing({ ...FACTS, tokens: [amount], names: [{ contract: OTHER_ADDRESS, symbol: 'TOK', decimals: 6 }] })
    expect(screen.getByTestId('approval-token-hero').textContent).toBe('12.5 TOK')
    cleanup()

    await showKnowing({ ...FACTS, tokens: [amount] })
    expect(screen.getByTestId('approval-token-hero').textContent).toBe('12,500,000 units of token')
    expect(screen.getByTestId('approval-token-to').textContent?.toLowerCase().replaceAll(' ', '')).toBe(OWN_ADDRESS)
    expect(screen.queryByText(/the token’s contract claims/)).toBeNull()
  })

  it('is unlimited where a call lets someone take all of a token, and says whom', async () => {
    const call = {
      name: 'approve',
      signature: 'approve(address,uint256)',
      namedBy: 'database' as const,
      arguments: [
        { type: 'address', value: OTHER_ADDRESS },
        { type: 'uint256', value: (2n ** 256n - 1n).toString() },
      ],
    }
    await show([aRequest({ transaction: aTransaction({ value: '0', data: '0x095ea7b3', call }) })])
    expect(screen.getByTestId('approval-token-hero').textContent).toBe('Unlimited')
    expect(screen.getByTestId('approval-taker').textContent?.toLowerCase().replaceAll(' ', '')).toBe(OTHER_ADDRESS)
  })

  it('is waited for a moment, so that its warnings move nothing that is being read', async () => {
    const scene = await show([])
    const asked: { give: ((facts: FactsView) => void) | null } = { give: null }
    scene.backend.answer('signer.facts', () => new Promise((done) => (asked.give = (facts) => done({ facts }))))
    await late(scene.backend, aRequest())
    await scene.pass(FIRST_DRAWING_MS - 1)
    expect(screen.queryByTestId('approval-value')).toBeNull()
    expect(state()).not.toBe('armed')

    await act(async () => asked.give?.({ ...FACTS, history: { count: 0, lastAt: null } }))
    expect(screen.getByTestId('approval-value')).toBeTruthy()
    expect(screen.getByTestId('approval').textContent).toContain('First payment to this address')
  })

  it('restarts settling if it arrives late and brings a warning', async () => {
    const scene = await show([])
    const asked: { give: ((facts: FactsView) => void) | null } = { give: null }
    scene.backend.answer(
      'signer.facts',
      () =>
        new Promise((done) => {
          asked.give = (facts) => done({ facts })
        }),
    )
    await late(scene.backend, aRequest())
    await scene.pass(FIRST_DRAWING_MS)
    await scene.pass(SETTLE_MS + READ_MS)
    expect(state()).toBe('armed')

    await act(async () => asked.give?.({ ...FACTS, lookalike: OTHER_ADDRESS }))

    expect(state()).toBe('settling')
    await scene.pass(SETTLE_MS + READ_MS)
    expect(state()).toBe('settling') // what is critical takes longer
    await scene.pass(SETTLE_CRITICAL_MS)
    expect(state()).toBe('armed')
  })
})

describe('settling', () => {
  it('starts again when the text jumps back to its beginning', async () => {
    const { pass } = await show([aRequest()])
    await pass(SETTLE_MS + READ_MS)
    const box = document.querySelector('#approval-body') ?? document.body
    box.scrollTop = 200
    fireEvent.scroll(box)
    expect(state()).toBe('armed')

    box.scrollTop = 0
    fireEvent.scroll(box)

    expect(state()).toBe('settling')
  })

  it("starts again when the simulation's answer comes, even an empty one", async () => {
    const scene = await show([])
    const asked: { fail: (() => void) | null } = { fail: null }
    scene.backend.answer(
      'signer.simulate',
      () =>
        new Promise((_done, fail) => {
          asked.fail = () => fail(new Error('no node'))
        }),
    )
    await late(scene.backend, aRequest())
    await scene.pass(FIRST_DRAWING_MS)
    await scene.pass(SETTLE_MS + READ_MS)
    const before = state()

    await act(async () => asked.fail?.())

    expect([before, state()]).toEqual(['armed', 'settling'])
  })
})

describe('rejecting', () => {
  it('happens at Esc wherever the focus is, but not in a layer above', async () => {
    const { decisions } = await show([aRequest()])
    const layer = document.createElement('div')
    layer.setAttribute('role', 'dialog')
    document.body.append(layer)
    fireEvent.keyDown(layer, { key: 'Escape' })
    layer.remove()
    expect(decisions()).toEqual([])

    fireEvent.keyDown(document.body, { key: 'Escape' })

    expect(state()).toBe('refused')
    expect(decisions()).toHaveLength(1)
  })

  it('all of a caller asks for confirmation only if there are several', async () => {
    const { backend } = await show([aRequest()])
    backend.answer('signer.rejectFrom', () => ({ rejected: 1 }))

    await push('approval-reject-caller')

    expect(backend.calls.filter(({ name }) => name === 'signer.rejectFrom')).toHaveLength(1)
  })

  it("all isn't offered for Headframe's own requests", async () => {
    await show([aRequest({ caller: { ...aRequest().caller, transport: 'app' } })])

    expect(screen.queryByTestId('approval-reject-caller')).toBeNull()
  })
})

describe('a request that ended without us', () => {
  it.each([
    ['withdrawn', 'withdrawn', 'The caller disconnected. Nothing was signed.'],
    ['expired', 'expired', 'Time ran out'],
    ['rejected', 'refused', 'Rejected'],
    ['signed', 'done', 'Signed'],
    ['failed', 'failed', 'The request failed'],
  ] as const)('as %s says so', async (ended, phase, words) => {
    const { backend } = await show([aRequest()])

    await act(async () => {
      backend.emit('signer.requests', {
        waiting: [],
        waitingCount: 0,
        takenAt: 0,
        ended: [{ id: 'request-1', state: ended }],
      })
    })

    expect(state()).toBe(phase)
    expect(screen.getByTestId('approval-result').textContent).toContain(words)
    expect(screen.queryByTestId('approval-approve')).toBeNull()
  })
})

describe('a text', () => {
  it("has numbered lines that aren't part of it", async () => {
    await show([dataRequest('first\nsecond\n')])

    const shown = screen.getByTestId('approval-text')
    expect(shown.textContent).toBe('first\nsecond\n')
    expect([...shown.querySelectorAll('[data-line]')].map((line) => line.getAttribute('data-line'))).toEqual([
      '1',
      '2',
      '3',
    ])
  })

  it("that is truncated doesn't count as read to its end", async () => {
    const { pass } = await show([dataRequest('x'.repeat(70_000))])
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS + READ_MS)
    expect(approve().textContent).toBe('Read to the end')
    expect(approve().getAttribute('aria-disabled')).toBe('true')

    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Show all 70,000 characters' })))
    await pass(SETTLE_MS + READ_MS)

    expect(screen.getByTestId('approval-text').textContent).toHaveLength(70_000)
    expect(approve().textContent).toBe('Sign')
  })

  it('is shown as bytes on request', async () => {
    await show([dataRequest('D')])
    const details = screen.getByText('Bytes with prefix').closest('details')
    if (details === null) throw new Error('no details')
    details.open = true
    await act(async () => void fireEvent(details, new Event('toggle')))

    expect(screen.getByTestId('approval-hex').textContent).toBe('0x1944')
  })
})

describe('a transaction', () => {
  it("that creates a contract shows its code's size and hash", async () => {
    await show([aRequest({ transaction: aTransaction({ to: null, data: '0x6001' }) })])

    expect(screen.getByTestId('approval-code-hash').textContent).toBe(
      '0x309c67890bde4c575dc23d2cc3b5c3a3d599e312e980e9b61b5bc8f3cd87c8bb',
    )
    expect(screen.getByTestId('approval').textContent).toContain('2 bytes')
  })

  it('shows all of its data on request', async () => {
    const data = `0x${'ab'.repeat(2_000)}`
    await show([aRequest({ transaction: aTransaction({ data }) })])
    expect(screen.getByTestId('approval-data').textContent?.length).toBeLessThan(data.length)

    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Show all 4,002 characters' })))

    expect(screen.getByTestId('approval-data').textContent).toBe(data)
  })

  it('shows every edit as old and new, even while the fields are closed', async () => {
    const { backend } = await show([aRequest()])
    backend.answer('signer.checkEdits', () => ({ objection: '', findings: [] }))
    fireEvent.click(screen.getByTestId('approval-edit'))
    fireEvent.change(screen.getByTestId('approval-edit-gas'), { target: { value: '30000' } })
    fireEvent.click(screen.getByTestId('approval-edit'))

    expect(screen.getByTestId('approval-changed').textContent).toBe('Gas limit: 21000 → 30000')
  })

  it('names its parties by their labels', async () => {
    const { backend } = await show([aRequest()])
    await act(async () => {
      backend.emit('signer.notes', {
        accounts: [],
        watched: [{ address: OTHER_ADDRESS, label: 'Exchange', addedAt: 0 }],
        takenAt: 0,
      })
    })

    expect(screen.getByTestId('approval-to-label').textContent).toBe('Exchange')
  })
})

describe('the other waiting requests', () => {
  it('without a place are counted', async () => {
    const { backend } = await show([aRequest()])
    await act(async () => {
      backend.emit('signer.requests', { waiting: [aRequest()], waitingCount: 1, overflowed: 12, takenAt: 0 })
    })

    expect(screen.getByTestId('approval-overflow').textContent).toBe('12 more requests were rejected: queue full')
  })

  it('that the checks refused are shown with their reasons, until dismissed', async () => {
    const { backend } = await show([])
    const findings = [{ severity: 'WARNING', message: 'Invalid checksum \u202e' } as const]
    const refusals = [{ id: 2, at: NOW, caller: aRequest().caller, findings }]
    await act(async () => {
      backend.emit('signer.requests', { waiting: [], waitingCount: 0, refusals, takenAt: 0 })
    })

    const notice = screen.getByTestId('approval-auto-refused')
    expect(notice.textContent).toContain('rig-tools/1.4')
    expect(notice.textContent).toContain('Invalid checksum U+202E')
    expect(notice.textContent).toContain('And 1 more before it.')
    fireEvent.click(notice.querySelector('button') ?? document.body)
    expect(screen.queryByTestId('approval-auto-refused')).toBeNull()
  })
})

describe('the caller', () => {
  it('without a name of its own is said to have none, and where it runs', async () => {
    const caller = { ...aRequest().caller, userAgent: '', origin: '', process: null }
    await show([aRequest({ caller })])

    expect(screen.getByTestId('approval-caller').textContent).toMatch(/No name given.*on this computer/)
  })

  it("is named by its program, as the system reports it, and isn't on this computer if it isn't", async () => {
    const known = { pid: 7, name: 'wallet', path: '/opt/wallet' }
    const caller = { ...aRequest().caller, userAgent: '', origin: '' }
    await show([aRequest({ caller: { ...caller, process: known } })])
    expect(screen.getByTestId('approval-caller').textContent).toContain('wallet (process 7) /opt/wallet')
    cleanup()

    await show([aRequest({ caller: { ...caller, remote: '192.0.2.7:5000' } })])
    expect(screen.getByTestId('approval-caller').textContent).toContain('on another computer')
  })
})

describe('the time left', () => {
  it('is shown from a minute down, and announced at three marks', async () => {
    const { pass } = await show([aRequest({ expiresAt: NOW + 70_000 })])
    const told = (): string =>
      screen.getByTestId('approval').querySelector('#approval-title ~ * [role=status]')?.textContent ?? ''
    expect(screen.queryByTestId('approval-countdown')).toBeNull()
    const marks: string[] = []
    for (let second = 0; second < 69; second++) {
      await pass(1_000)
      if (told() !== (marks.at(-1) ?? '')) marks.push(told())
    }

    expect(marks).toEqual(['60 seconds left', '30 seconds left', '10 seconds left'])
    expect(screen.getByTestId('approval-countdown').dataset.value).toBe('1')
  })
})

describe('the number of findings', () => {
  it('beside the title is that of the list, critical ones apart', async () => {
    const findings = [
      { severity: 'CRITICAL' as const, message: 'one' },
      { severity: 'CRITICAL' as const, message: 'two' },
      { severity: 'WARNING' as const, message: 'three' },
      { severity: 'Info' as const, message: 'four' },
    ]
    await show([aRequest({ findings })])
    const listed = (severity: string) =>
      document.querySelectorAll(`[data-testid^="approval-severity-"][data-state="${severity}"]`).length

    const title = screen.getByTestId('approval-kind').textContent ?? ''
    expect(listed('CRITICAL')).toBe(2)
    expect(title).toContain('2 critical')
    expect(title).toMatch(new RegExp(`\\b${listed('WARNING')} warning`))
  })

  it('is absent where there are none', async () => {
    await show([aRequest({ kind: 'listing', transaction: null, accounts: [], findings: [] })])

    expect(screen.getByTestId('approval-kind').textContent).not.toMatch(/\d/)
  })
})

describe('a settled request', () => {
  it("keeps the findings that were decided on: its own effects don't become warnings about it", async () => {
    const { backend, pass } = await show([aRequest({ transaction: aTransaction({ nonce: '4' }) })])
    await act(
      async () => void backend.emit('node.balances', { asOf: 1, accounts: [aBalance({ nonce: 4 })], takenAt: 0 }),
    )
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS + READ_MS)
    const before = [
      screen.getByTestId('approval-kind').textContent,
      document.getElementById('approval-body')?.textContent,
    ]
    await click()
    expect(state()).toBe('done')

    const spent = aBalance({ nonce: 5, available: '1' })
    await act(async () => void backend.emit('node.balances', { asOf: 2, accounts: [spent], takenAt: 0 }))
    await act(async () => void queue(backend))
    await pass(READ_MS)

    expect([
      screen.getByTestId('approval-kind').textContent,
      document.getElementById('approval-body')?.textContent,
    ]).toEqual(before)
  })

  it('still gets new findings while it waits', async () => {
    const { backend } = await show([aRequest({ transaction: aTransaction({ nonce: '4' }) })])
    await act(
      async () => void backend.emit('node.balances', { asOf: 1, accounts: [aBalance({ nonce: 5 })], takenAt: 0 }),
    )

    expect(screen.getByTestId('approval').textContent).toContain('Nonce 4 was already used.')
  })
})
