// The approval view over a scripted signer: nothing is approved by accident, everything can be rejected.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RequestView } from '../../../contract/signer'
import { aRequest, aTransaction } from '../testing/scripted-values'
import { approve, click, PASSWORD, pointer, queue, READ_MS, senses, show, state, type } from '../testing/show-approval'
import { HOLD_MS, SETTLE_CRITICAL_MS, SETTLE_MS } from './machine'
import type { AttentionListener } from './machine-hooks'

afterEach(cleanup)

const NOW = 1_700_000_000_000

describe('a transaction', () => {
  it('shows every digit of the amount, the full address, fee and caller', async () => {
    await show([aRequest()])

    expect(screen.getByTestId('approval-value').textContent).toBe('12.500000000000000001\u00a0LAX')
    expect(screen.getByTestId('approval-value').dataset.value).toBe('12500000000000000001')
    expect(screen.getByTestId('approval-to').textContent).toContain(
      '0x5aAe b605 3F3E 94C9 b9A0 9f33 6694 35E7 Ef1B eAed',
    )
    expect(screen.getByTestId('approval-fee').textContent).toBe('0.000021\u00a0LAX')
    expect(screen.getByTestId('approval-caller').textContent).toContain('rig-tools/1.4')
    expect(screen.getByTestId('approval-caller').textContent).toContain('self-reported')
  })

  it("isn't approved 100 ms after it appeared", async () => {
    const { pass, decisions } = await show([aRequest()])
    type('approval-password', PASSWORD)
    await pass(100)

    await click()

    expect(decisions()).toEqual([])
    expect(state()).toBe('settling')
  })

  it('is approved exactly once by a double click after arming, with the password as Base64', async () => {
    const { pass, decisions } = await show([aRequest()])
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS + READ_MS)

    await act(async () => {
      pointer('pointerdown')
      pointer('pointerup')
      pointer('pointerdown')
      pointer('pointerup')
    })

    expect(decisions()).toEqual([
      {
        name: 'signer.decide',
        params: {
          id: 'request-1',
          nonce: 'nonce-1',
          contentHash: 'content-1',
          decision: 'approve',
          password: btoa(PASSWORD),
          edits: null,
          accounts: null,
        },
      },
    ])
    expect(state()).toBe('done')
  })

  it('says that it is being signed, not that a password is missing', async () => {
    const { backend, pass } = await show([aRequest()])
    backend.answer('signer.decide', () => new Promise<never>(() => undefined))
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS + READ_MS)

    await click()

    expect(state()).toBe('submitting')
    expect(document.getElementById('approval-missing')?.textContent).toBe('Working…')
  })

  it("isn't approved by a script's events", async () => {
    const { isTrusted: _, ...untrusted } = senses()
    const { pass, decisions } = await show([aRequest()], untrusted)
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS + READ_MS)

    await click()

    expect(state()).toBe('armed')
    expect(decisions()).toEqual([])
  })

  it("isn't approved by Enter in the password field or on the title", async () => {
    const { pass, decisions } = await show([aRequest()])
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS + READ_MS)

    for (const testId of ['approval-password', 'approval-kind', 'approval']) {
      fireEvent.keyDown(screen.getByTestId(testId), { key: 'Enter' })
      fireEvent.keyUp(screen.getByTestId(testId), { key: 'Enter' })
    }

    expect(decisions()).toEqual([])
    expect(state()).toBe('armed')
  })

  it('is approved by Enter on the button itself, but not by a repeating key', async () => {
    const { pass, decisions } = await show([aRequest()])
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS + READ_MS)

    fireEvent.keyDown(approve(), { key: 'Enter', repeat: true })
    fireEvent.keyUp(approve(), { key: 'Enter' })
    expect(decisions()).toEqual([])
    fireEvent.keyDown(approve(), { key: 'Enter' })
    await act(async () => void fireEvent.keyUp(approve(), { key: 'Enter' }))

    expect(decisions()).toHaveLength(1)
  })

  it('needs a password', async () => {
    const { pass, decisions } = await show([aRequest()])
    await pass(SETTLE_MS + READ_MS)

    await click()

    expect(decisions()).toEqual([])
    expect(approve().getAttribute('aria-disabled')).toBe('true')
  })

  it("isn't approved before its end was on the screen for half a second", async () => {
    const end = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect')
    end.mockImplementation(function rect(this: HTMLElement) {
      return { bottom: this.className.includes('end') ? 900 : 400 } as DOMRect
    })
    const { pass, decisions } = await show([aRequest()])
    type('approval-password', PASSWORD)
    await pass(10_000)
    expect(approve().textContent).toBe('Read to the end')
    await click()
    expect(decisions()).toEqual([])

    end.mockRestore()
    await pass(READ_MS)

    expect(approve().textContent).toBe('Sign payment')
  })

  it('needs no reading to the end if everything fits', async () => {
    const { pass } = await show([aRequest()])

    expect(approve().textContent).toBe('Sign payment')
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS)
    expect(state()).toBe('armed')
  })

  it('has to be read again when more is said about it', async () => {
    const { backend } = await show([aRequest()])
    expect(approve().textContent).toBe('Sign payment')
    const end = vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect')
    end.mockImplementation(function rect(this: HTMLElement) {
      return { bottom: this.className.includes('end') ? 900 : 400 } as DOMRect
    })

    const findings = [{ severity: 'WARNING' as const, message: 'something new' }]
    await act(async () => void queue(backend, aRequest({ findings })))

    expect(approve().textContent).toBe('Read to the end')
    end.mockRestore()
  })

  it('never makes a missing simulation look harmless', async () => {
    await show([aRequest()])

    expect(screen.getByRole('region', { name: 'Changes: not simulated' }).textContent).toContain('is unknown')
  })

  it('is rejected by Esc and by the button, once', async () => {
    const { decisions } = await show([aRequest()])

    await act(async () => void fireEvent.keyDown(screen.getByTestId('approval'), { key: 'Escape' }))
    fireEvent.keyDown(screen.getByTestId('approval'), { key: 'Escape' })

    expect(decisions().map(({ params }) => params)).toMatchObject([{ decision: 'reject', password: null }])
    expect(state()).toBe('refused')
    expect(screen.queryByTestId('approval-approve')).toBeNull()
  })

  it('is rejected when its page closes', async () => {
    const { decisions } = await show([aRequest()])

    await act(async () => void window.dispatchEvent(new Event('pagehide')))

    expect(decisions().map(({ params }) => params)).toMatchObject([{ decision: 'reject' }])
  })

  it('clears the password and settles again after a wrong one', async () => {
    const { backend, pass } = await show([aRequest()])
    backend.answer('signer.decide', () => ({ state: 'waiting', error: 'wrong password' }))
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS + READ_MS)

    await click()

    expect(state()).toBe('settling')
    expect((screen.getByTestId('approval-password') as HTMLInputElement).value).toBe('')
    expect(screen.getByText('wrong password')).toBeTruthy()
  })

  it('clears what was typed and settles again after its user was away', async () => {
    const away: (() => void)[] = []
    const watchPresence = (onDisturbed: () => void) => {
      away.push(onDisturbed)
      return { dispose: () => undefined }
    }
    const critical = aRequest({ findings: [{ severity: 'CRITICAL', message: 'wrong checksum' }] })
    const { pass, decisions } = await show([critical], { ...senses(), watchPresence })
    const isTicked = () => (screen.getByTestId('approval-understood') as HTMLInputElement).checked
    type('approval-password', PASSWORD)
    fireEvent.click(screen.getByTestId('approval-understood'))
    await pass(SETTLE_CRITICAL_MS + READ_MS)
    expect([state(), isTicked()]).toEqual(['armed', true])

    act(() => {
      for (const tell of away) tell()
    })

    expect([state(), isTicked()]).toEqual(['settling', false])
    expect((screen.getByTestId('approval-password') as HTMLInputElement).value).toBe('')
    await pass(SETTLE_CRITICAL_MS)
    await click()
    expect(decisions()).toEqual([])
  })

  it("doesn't expire while the signer holds its countdown", async () => {
    const { pass, backend } = await show([aRequest({ expiresAt: NOW + 60_000 })])
    await pass(50_000)
    act(() => void queue(backend, aRequest({ expiresAt: null })))
    await pass(600_000)
    expect(screen.queryByTestId('approval-countdown')).toBeNull()
    expect(state()).toBe('armed')

    act(() => void queue(backend, aRequest({ expiresAt: NOW + 660_000 })))
    await pass(10_000)
    expect(state()).toBe('expired')
  })

  it('expires at its time without our answer', async () => {
    const { clock, pass, decisions } = await show([aRequest({ expiresAt: 1_700_000_000_000 + 30_000 })])
    expect(screen.getByTestId('approval-countdown').textContent).toContain('0:30')

    await pass(30_000)

    expect(clock.now()).toBe(1_700_000_030_000)
    expect(state()).toBe('expired')
    expect(decisions()).toEqual([])
  })

  it('is withdrawn when its caller leaves', async () => {
    const { backend, pass } = await show([aRequest()])
    await pass(SETTLE_MS)

    await act(async () => void queue(backend))

    expect(state()).toBe('withdrawn')
  })

  it('needs attention: without it nothing is armed', async () => {
    const listeners: AttentionListener[] = []
    const { pass } = await show([aRequest()], senses(listeners))
    await pass(SETTLE_MS)

    act(() => listeners[0]?.setAttention(false))
    await pass(60_000)

    expect(state()).toBe('arriving')
  })
})

describe('findings', () => {
  it('are ordered, and an unknown severity counts as critical', async () => {
    const findings = [
      { severity: 'Info', message: 'third' },
      { severity: 'WARNING', message: 'second' },
      { severity: 'NEW-WORD', message: 'first' },
    ] as unknown as RequestView['findings']

    await show([aRequest({ findings })])

    expect(screen.getByTestId('approval-severity-0').dataset.state).toBe('CRITICAL')
    expect(screen.getByTestId('approval-severity-0').textContent).toContain('first')
    expect(screen.getByTestId('approval-severity-1').textContent).toContain('second')
  })

  it('that are critical need a tick, three seconds and a hold', async () => {
    const { clock, pass, decisions } = await show([
      aRequest({ findings: [{ severity: 'CRITICAL', message: 'wrong checksum' }] }),
    ])
    type('approval-password', PASSWORD)
    await pass(SETTLE_CRITICAL_MS + READ_MS)
    await click()
    expect(decisions()).toEqual([])

    fireEvent.click(screen.getByTestId('approval-understood'))
    await click()
    expect(decisions()).toEqual([])
    pointer('pointerdown')
    act(() => clock.advance(HOLD_MS))
    await act(async () => void pointer('pointerup'))

    expect(decisions()).toHaveLength(1)
  })

  it('are inert text, with invisible characters made visible', async () => {
    await show([aRequest({ findings: [{ severity: 'WARNING', message: '<img src=x onerror=alert(1)>\u202Eevil' }] })])

    const item = screen.getByTestId('approval-severity-0')
    expect(item.querySelector('img')).toBeNull()
    expect(item.textContent).toContain('<img src=x onerror=alert(1)>')
    expect(item.textContent).toContain('U+202E')
  })

  it('of our own are added: another chain, a zero destination, more than the balance', async () => {
    const transaction = aTransaction({ chainId: 2110, to: `0x${'0'.repeat(40)}`, value: `9${'0'.repeat(30)}` })

    await show([aRequest({ transaction })])

    const critical = screen.getAllByTestId(/approval-severity-/).filter((item) => item.dataset.state === 'CRITICAL')
    expect(critical).toHaveLength(3)
  })
})
