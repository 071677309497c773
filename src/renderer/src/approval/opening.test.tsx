// What unlocks an account, and what else may be decided: keeping it unlocked, readable connections, listings, new
// accounts.
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { RequestView, SwitchesView } from '../../../contract/signer'
import { aRequest, OWN_ADDRESS } from '../testing/scripted-values'
import { click, PASSWORD, pageKeys, queue, READ_MS, senses, show, state, type } from '../testing/show-approval'
import { contentHashOf } from './decision/page-approval'
import { SETTLE_MS } from './machine'

afterEach(cleanup)

const NOW = 1_700_000_000_000
const switchesView = (change: Partial<SwitchesView> = {}): SwitchesView => ({
  remote: { mode: 'off', expiresAt: null, hasToken: true },
  keepUnlocked: true,
  maySet: true,
  unlocked: [],
  takenAt: 0,
  ...change,
})
const push = (testId: string): Promise<void> => act(async () => void fireEvent.click(screen.getByTestId(testId)))

describe('an account in a device', () => {
  const device = { kind: 'ledger', path: "m/44'/60'/0'/0/3", isBlind: false } as const

  it("takes no password, can't stay unlocked, and names the device and its path", async () => {
    const { backend, pass, decisions } = await show([aRequest({ device })])
    await act(async () => void backend.emit('signer.switches', switchesView()))

    expect(screen.queryByTestId('approval-password')).toBeNull()
    expect(screen.queryByTestId('approval-keep')).toBeNull()
    expect(screen.getByTestId('approval-stored').textContent).toContain(`Ledger (${device.path})`)
    await pass(SETTLE_MS + READ_MS)
    await click()
    expect(decisions()[0]?.params).toMatchObject({ decision: 'approve', password: null })
  })
})

describe('keeping an account unlocked', () => {
  const showWith = async (view: SwitchesView, request = aRequest()) => {
    const scene = await show([request], senses(), pageKeys())
    await act(async () => void scene.backend.emit('signer.switches', view))
    return scene
  }
  const critical = aRequest({ findings: [{ severity: 'CRITICAL', message: 'bad' }] })
  const kept = switchesView({ unlocked: [{ address: OWN_ADDRESS, until: NOW + 300_000 }] })

  it('is offered only if it is switched on, and never for critical requests', async () => {
    await showWith(switchesView({ keepUnlocked: false }))
    expect(screen.queryByTestId('approval-keep')).toBeNull()
    cleanup()
    await showWith(switchesView(), critical)
    expect(screen.queryByTestId('approval-keep')).toBeNull()
    cleanup()
    await showWith(switchesView())
    expect(screen.getByTestId('approval-keep')).toHaveProperty('value', '')
  })

  it('is sent with the decision', async () => {
    const { pass, decisions } = await showWith(switchesView())
    type('approval-password', PASSWORD)
    fireEvent.change(screen.getByTestId('approval-keep'), { target: { value: '15' } })
    await pass(SETTLE_MS + READ_MS)
    await click()

    const sent = Object(decisions()[0]?.params)
    expect(sent).toMatchObject({ password: null, approval: { kind: 'sealed' } })
    const statement = JSON.parse(sent.approval.statement)
    expect(statement).toMatchObject({ keepMinutes: 15, contents: [contentHashOf(aRequest(), null)] })
    expect(JSON.stringify(sent)).not.toContain(PASSWORD)
  })

  it('is not offered by a page without keys of its own', async () => {
    const scene = await show([aRequest()])
    await act(async () => void scene.backend.emit('signer.switches', switchesView()))

    expect(screen.queryByTestId('approval-keep')).toBeNull()
  })

  it("is another page's: the password is typed", async () => {
    const [other] = kept.unlocked
    await showWith(switchesView({ unlocked: other === undefined ? [] : [{ ...other, page: 'of another' }] }))

    expect(screen.queryByTestId('approval-password')).not.toBeNull()
  })

  it('sends nothing to another key process than at first', async () => {
    const { backend, pass, decisions } = await showWith(switchesView())
    backend.answer('signer.decide', () => ({ state: 'waiting', error: 'wrong password' }))
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS + READ_MS)
    await click()
    expect(decisions()).toHaveLength(1)

    backend.answer('signer.keyProcess', () => ({ receiver: `04${'2'.repeat(128)}`, reason: '' }))
    type('approval-password', PASSWORD)
    await pass(SETTLE_MS + READ_MS)
    await click()

    expect(decisions()).toHaveLength(1)
    expect(screen.getByTestId('approval').textContent).toContain('Another key process answers')
  })

  it('then needs no password, except for critical requests', async () => {
    const { pass, decisions } = await showWith(kept)
    expect(screen.queryByTestId('approval-password')).toBeNull()
    await pass(SETTLE_MS + READ_MS)
    await click()
    const approval = { kind: 'token', once: contentHashOf(aRequest(), null)?.slice(0, 32) }
    expect(decisions()[0]?.params).toMatchObject({ password: null, approval })
    cleanup()

    await showWith(kept, critical)
    expect(screen.getByTestId('approval-password')).toBeTruthy()
  })

  it('shows the remaining time, and locks at once', async () => {
    const { backend, pass } = await showWith(kept)
    backend.answer('signer.lockKept', () => ({}))
    expect(screen.getByTestId('kept-open').textContent).toContain('Account unlocked, 5:00 left')
    await pass(61_000)
    expect(screen.getByTestId('kept-open').textContent).toContain('3:59')

    await push('lock-now')

    expect(backend.calls.map(({ name }) => name)).toContain('signer.lockKept')
  })
})

describe('the end of the audit log', () => {
  const showWith = async (record: { readonly records: number; readonly hash: string } | null) => {
    const scene = await show([])
    const requests = { waiting: [aRequest()], waitingCount: 1, takenAt: 0, mayDecide: true, record }
    await act(async () => scene.backend.emit('signer.requests', requests))
    return screen.queryByTestId('approval-record')
  }

  it('is shown in the format that verifying takes', async () => {
    const hash = 'ab'.repeat(32)
    expect((await showWith({ records: 7, hash }))?.dataset.value).toBe(`7:${hash}`)
  })

  it("isn't shown if there is none", async () => {
    expect(await showWith(null)).toBeNull()
  })
})

describe('a connection that others can read', () => {
  const showOver = async (request: RequestView, unlocked: SwitchesView['unlocked'] = []) => {
    const scene = await show([])
    await act(async () => {
      scene.backend.emit('signer.switches', switchesView({ unlocked }))
      scene.backend.emit('signer.requests', {
        waiting: [request],
        waitingCount: 1,
        takenAt: 0,
        mayDecide: true,
        takesPasswords: false,
      })
    })
    return scene
  }

  it('asks for no password and sends none', async () => {
    const { pass, decisions } = await showOver(aRequest())
    expect(screen.queryByTestId('approval-password')).toBeNull()
    expect(screen.getByTestId('approval-at-machine').textContent).toContain(
      'Unlock the account on the computer running Headframe',
    )
    await pass(SETTLE_MS + READ_MS)

    await click()

    expect(decisions()).toEqual([])
  })

  it('may approve with an account that was unlocked at the machine', async () => {
    const { pass, decisions } = await showOver(aRequest(), [{ address: OWN_ADDRESS, until: NOW + 300_000 }])
    await pass(SETTLE_MS + READ_MS)

    await click()

    expect(decisions()).toHaveLength(1)
  })
})

describe('a listing', () => {
  const page = { ...aRequest().caller, origin: 'https://shop.example' }
  const listing = (caller = page): RequestView =>
    aRequest({ kind: 'listing', transaction: null, accounts: [{ address: OWN_ADDRESS }], caller })
  const showOpen = async (request: RequestView) => {
    const scene = await show([request])
    await act(async () => {
      scene.backend.emit('signer.vault', { state: 'open', stored: [], rules: null, takenAt: 0 })
    })
    return scene
  }

  it('is remembered for a page as a rule, once its addresses were shared', async () => {
    const { backend, pass } = await showOpen(listing())
    backend.answer('signer.putPolicy', ({ policy }) => ({ policies: [{ policy, version: 'v' }] }))
    backend.answer('signer.decide', () => ({ state: 'approved', error: '' }))
    fireEvent.click(screen.getByTestId(`approval-account-${OWN_ADDRESS}`))
    await push('approval-remember')
    await pass(SETTLE_MS + READ_MS)
    await click()

    expect(backend.calls.find(({ name }) => name === 'signer.putPolicy')?.params).toMatchObject({
      policy: {
        kind: 'listing',
        accounts: [OWN_ADDRESS],
        callers: [{ scheme: 'http', origin: 'https://shop.example' }],
      },
      was: null,
    })
    expect(state()).toBe('done')
  })

  it('says if the rule couldn’t be saved', async () => {
    const { pass } = await showOpen(listing())
    fireEvent.click(screen.getByTestId(`approval-account-${OWN_ADDRESS}`))
    await push('approval-remember')
    await pass(SETTLE_MS + READ_MS)
    await click()

    expect(screen.getByTestId('approval-result').textContent).toContain('couldn’t be saved')
  })

  it("isn't remembered for a caller that can't be identified", async () => {
    await showOpen(listing({ ...page, origin: '' }))

    expect(screen.queryByTestId('approval-remember')).toBeNull()
  })
})

describe('a new account', () => {
  it('shows how strong its password is and where its key will be; afterwards the file and the way to a backup', async () => {
    const { backend, pass } = await show([], senses())
    const accounts = { problems: [], keystore: '/srv/keystore', takenAt: 0 }
    backend.emit('signer.accounts', { ...accounts, accounts: [] })
    await act(async () => void queue(backend, aRequest({ kind: 'newAccount', transaction: null })))
    expect(screen.getByTestId('approval').textContent).toContain('/srv/keystore')

    type('approval-password', 'aaaaaaaaaa')
    expect(screen.getByTestId('approval-strength').textContent).toContain('Weak')
    type('approval-password', 'Corvus 7 plumbs, heavy Tide!')
    expect(screen.getByTestId('approval-strength').textContent).toContain('Strong')
    type('approval-password-repeat', 'Corvus 7 plumbs, heavy Tide!')
    await pass(SETTLE_MS + READ_MS)
    await click()
    await act(async () => {
      backend.emit('signer.accounts', { ...accounts, accounts: [{ address: OWN_ADDRESS, file: 'UTC--1', files: 1 }] })
    })

    expect(screen.getByTestId('approval-key-file').textContent).toContain('/srv/keystore/UTC--1')
    expect(screen.getByText('Back up now').getAttribute('href')).toContain(OWN_ADDRESS)
  })
})

describe('an account in a device that is not connected', () => {
  const device = { kind: 'airgap', path: "m/44'/60'/0'/0/3", isBlind: false } as const
  const given = (text: string | null) => ['signer.giveSignature', { id: 'r1', text }]

  it('shows the codes and the file after the approval, and takes the signature back', async () => {
    const { backend, pass } = await show([aRequest({ id: 'r1', device })])
    let signed: (outcome: { state: 'signed'; error: string }) => void = () => undefined
    backend.answer('signer.decide', () => new Promise((resolve) => (signed = resolve)))
    backend.answer('signer.unsigned', () => ({ requestId: 'u1', ur: ['UR:A/1-2/AA', 'UR:A/2-2/BB'], file: '{}' }))
    backend.answer('signer.giveSignature', () => ({}))
    expect(screen.getByTestId('approval-stored').textContent).toContain('isn’t connected')

    await pass(SETTLE_MS + READ_MS)
    await click()

    expect(screen.getByTestId('qr-code').getAttribute('aria-label')).toBe('QR code 1 of 2 for the device')
    await pass(400)
    expect(screen.getByTestId('qr-code').getAttribute('aria-label')).toBe('QR code 2 of 2 for the device')
    backend.answer('signer.giveSignature', () => {
      throw new Error('another key made it')
    })
    await act(async () => void fireEvent.change(screen.getByTestId('carried-text'), { target: { value: '0x11' } }))
    await act(async () => void fireEvent.click(screen.getByTestId('carried-give')))
    expect(screen.getByTestId('carried-error').textContent).toContain('another key')
    backend.answer('signer.giveSignature', () => ({}))
    await act(async () => void fireEvent.click(screen.getByTestId('carried-give')))
    await act(async () => signed({ state: 'signed', error: '' }))

    expect(
      backend.calls.filter(({ name }) => name === 'signer.giveSignature').map(({ name, params }) => [name, params]),
    ).toEqual([given('0x11'), given('0x11')])
    expect(screen.getByTestId('approval-result').textContent).toContain('Signed')
  })
})
