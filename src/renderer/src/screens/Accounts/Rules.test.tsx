import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { approvedChangeHash, changeText, SCRIPT_CAP } from '../../../../base/approvals'
import { callsOf, change, input, open, prepared, press, READ_CONTROL } from '../../testing/open-accounts'
import { NOW } from '../../testing/open-app'
import { anInfo, OTHER_ADDRESS, OWN_ADDRESS } from '../../testing/scripted-values'
import { pageKeys } from '../../testing/show-approval'
import { EMPTY_DRAFT, policyOf } from './Rules'

afterEach(cleanup)

describe('the vault', () => {
  it('is unlocked with the master password, which leaves no trace in its field', async () => {
    const { backend } = await open(
      '/accounts/rules',
      prepared('closed', (it) => it.answer('signer.vaultUnlock', () => ({}))),
    )
    input('vault-unlock-master', 'the master')
    await press('vault-unlock-submit')

    expect(callsOf(backend, 'signer.vaultUnlock')[0]?.params).toEqual({ password: btoa('the master') })
    expect(screen.getByTestId('vault-unlock-master')).toHaveProperty('value', '')
  })

  it('says why it stays locked', async () => {
    await open(
      '/accounts/rules',
      prepared('closed', (it) =>
        it.answer('signer.vaultUnlock', () => {
          throw new Error('could not decrypt')
        }),
      ),
    )
    input('vault-unlock-master', 'wrong')
    await press('vault-unlock-submit')

    expect(screen.getByTestId('vault-unlock-outcome').textContent).toBe('could not decrypt')
    expect(screen.getByTestId('vault-unlock-master')).toHaveProperty('value', '')
  })

  it('is created only if both passwords are the same', async () => {
    const { backend } = await open('/accounts/rules', prepared('missing'))
    input('vault-init-master', 'a long password')
    input('vault-init-master-again', 'another password')
    await press('vault-init-submit')

    expect(callsOf(backend, 'signer.vaultInit')).toEqual([])
    expect(screen.getByTestId('vault-init-outcome').dataset.state).toBe('failed')
  })

  it('shows no policies while it is locked, and nothing without the right to decide', async () => {
    const { backend } = await open('/accounts/rules', prepared('closed'))
    const whileClosed = callsOf(backend, 'signer.policies').length
    await act(async () => {
      backend.emit('signer.vault', { state: 'open', stored: [], rules: null, takenAt: NOW })
    })

    expect(whileClosed).toBe(0)
    expect(callsOf(backend, 'signer.policies')).toHaveLength(1)
  })

  it('offers nothing without the right to decide', async () => {
    const { backend } = await open(
      '/accounts/rules',
      prepared('open', (it) => it.answer('app.info', () => anInfo({ access: READ_CONTROL }))),
    )

    expect(screen.queryByTestId('vault')).toBeNull()
    expect(callsOf(backend, 'signer.policies')).toEqual([])
  })
})

describe('policies', () => {
  const DRAFT = {
    ...EMPTY_DRAFT,
    name: 'small',
    account: OWN_ADDRESS,
    most: '1',
    perPeriod: '5',
    recipients: OTHER_ADDRESS,
  }
  const TOKEN_DRAFT = { token: OTHER_ADDRESS, tokenMost: '5', tokenPerPeriod: '9' }

  it("name a token's methods", () => {
    const methods = ['transfer', 'approve'] as const
    expect(policyOf({ ...DRAFT, ...TOKEN_DRAFT, tokenMethods: methods }, { id: 'a', now: 0 })).toMatchObject({
      tokens: [{ contract: OTHER_ADDRESS, methods, amount: '5', periods: [{ hours: 24, amount: '9' }] }],
    })
  })

  it('are built from exact amounts', () => {
    expect(policyOf({ ...DRAFT, most: '0.000000000000000001' }, { id: 'a', now: 1_000 })).toEqual({
      id: 'a',
      name: 'small',
      enabled: true,
      callers: null,
      kind: 'transaction',
      account: OWN_ADDRESS,
      expiresAt: 1_000 + 30 * 86_400_000,
      recipients: [OTHER_ADDRESS],
      tokens: [],
      methods: [],
      valueWei: '1',
      feeWei: '10000000000000000',
      periods: [{ hours: 24, wei: '5000000000000000000', count: null }],
    })
  })

  it.each([
    [{ name: ' ' }, 'ui.policy.needName'],
    [{ recipients: `${OTHER_ADDRESS} 0x12` }, 'ui.policy.needRecipients'],
    [{ most: '1,000' }, 'ui.policy.needAmounts'],
    [{ perPeriod: '' }, 'ui.policy.needAmounts'],
    [{ hours: '0' }, 'ui.policy.needHours'],
    [{ token: OTHER_ADDRESS }, 'ui.policy.needToken'],
    [{ tokenMost: '5' }, 'ui.policy.needToken'],
    [{ token: OTHER_ADDRESS, tokenMost: '0.5', tokenPerPeriod: '1' }, 'ui.policy.needToken'],
    [{ ...TOKEN_DRAFT, tokenMethods: [] }, 'ui.policy.needMethod'],
    [{ ...TOKEN_DRAFT, recipients: '', tokenMethods: ['approve' as const] }, 'ui.policy.needSpender'],
    [{ days: '0' }, 'ui.policy.needDays'],
    [{ caller: 'page' as const, origin: 'example.org' }, 'ui.policy.needOrigin'],
    [{ caller: 'page' as const, origin: 'https://example.org/path' }, 'ui.policy.needOrigin'],
  ])("aren't created from %j", (part, fault) => {
    expect(policyOf({ ...DRAFT, ...part }, { id: 'a', now: 0 })).toBe(fault)
  })

  it.each([
    [{ caller: 'any' as const }, null],
    [{ caller: 'app' as const }, [{ scheme: 'app', origin: null }]],
    [{ caller: 'ipc' as const }, [{ scheme: 'ipc', origin: null }]],
    [{ caller: 'http' as const }, [{ scheme: 'http', origin: '' }]],
    [
      { caller: 'page' as const, origin: ' https://dapp.example:8 ' },
      [{ scheme: 'http', origin: 'https://dapp.example:8' }],
    ],
  ])('apply to the caller of %j only', (part, callers) => {
    expect(policyOf({ ...DRAFT, ...part }, { id: 'a', now: 0 })).toMatchObject({ callers })
  })

  it('show how often each was used, and which callers it covers', async () => {
    const made = policyOf({ ...DRAFT, caller: 'page', origin: 'https://dapp.example' }, { id: 'a', now: NOW })
    if (typeof made === 'string') throw new Error(made)
    await open(
      '/accounts/rules',
      prepared('open', (it) =>
        it
          .answer('signer.policies', () => ({
            policies: [
              { policy: made, version: 'v1' },
              { policy: { ...made, id: 'b' }, version: 'v2' },
            ],
          }))
          .answer('signer.policyMatches', () => ({ matches: [{ id: 'a', count: 3, lastAt: NOW }] })),
      ),
    )

    expect(screen.getAllByTestId('policy-row')[0]?.textContent).toContain('requested by https://dapp.example')
    expect(screen.getByTestId('policy-matched-a').textContent).toContain('used 3 times')
    expect(screen.getByTestId('policy-matched-b').textContent).toContain('never used')
  })

  it('are tested before they apply, and saved one by one', async () => {
    const { backend } = await open(
      '/accounts/rules',
      prepared('open', (it) =>
        it
          .answer('signer.dryRun', () => ({
            rows: [{ id: 'r', time: NOW, kind: 'signTransaction', policy: 'small', reason: '' }],
          }))
          .answer('signer.putPolicy', ({ policy }) => ({ policies: [{ policy, version: 'v' }] })),
      ),
    )
    change('policy-name', 'small')
    change('policy-recipients', OTHER_ADDRESS)
    change('policy-most', '1')
    change('policy-perPeriod', '5')
    change('policy-token', OTHER_ADDRESS)
    change('policy-tokenMost', '7')
    change('policy-tokenPerPeriod', '9')
    await press('policy-method-approve')
    await press('policy-try')
    const savedBefore = callsOf(backend, 'signer.putPolicy').length
    expect(screen.getByTestId('policy-trial').textContent).toContain(
      'The one request that policies apply to would have been approved without asking.',
    )
    input('policy-save-master', 'the master')
    await press('policy-save-submit')

    expect(savedBefore).toBe(0)
    expect(callsOf(backend, 'signer.putPolicy')[0]?.params).toMatchObject({ was: null, master: btoa('the master') })
    const row = screen.getByTestId('policy-row').textContent
    expect(row).toMatch(/up to 1\sLAX to 0x5aaeb6…eaed/)
    expect(row).toMatch(/up to 7 units of 0x5aaeb6…eaed \(transfer, approve\)/)
  })
})

describe('a policy that was changed elsewhere', () => {
  const made = policyOf(
    { ...EMPTY_DRAFT, name: 'small', account: OWN_ADDRESS, most: '1', perPeriod: '5' },
    { id: 'a', now: NOW },
  )
  if (typeof made === 'string') throw new Error(made)

  it("isn't restored by a page that still shows it", async () => {
    let isThere = true
    const { backend } = await open(
      '/accounts/rules',
      prepared('open', (it) =>
        it
          .answer('signer.policies', () => ({ policies: isThere ? [{ policy: made, version: 'v1' }] : [] }))
          .answer('signer.putPolicy', () => {
            throw new Error('changed or removed')
          }),
      ),
    )
    isThere = false
    await press('policy-toggle-a')

    expect(callsOf(backend, 'signer.putPolicy')[0]?.params).toMatchObject({ was: 'v1', policy: { enabled: false } })
    expect(screen.getByTestId('policy-error').textContent).toBe('changed or removed')
    expect(screen.queryByTestId('policy-row')).toBeNull()
  })
})

describe('a policy that is switched on', () => {
  it('takes the master password, sealed for exactly this change', async () => {
    const off = policyOf(
      { ...EMPTY_DRAFT, name: 'small', account: OWN_ADDRESS, most: '1', perPeriod: '5' },
      { id: 'a', now: NOW },
    )
    if (typeof off === 'string') throw new Error(off)
    const policy = { ...off, enabled: false }
    const { backend } = await open(
      '/accounts/rules',
      prepared('open', (it) =>
        it
          .answer('signer.keyProcess', () => ({ receiver: `04${'1'.repeat(128)}`, reason: '' }))
          .answer('signer.policies', () => ({ policies: [{ policy, version: 'v1' }] }))
          .answer('signer.putPolicy', ({ policy: put }) => ({ policies: [{ policy: put, version: 'v2' }] })),
      ),
      { approvalKeys: pageKeys() },
    )
    await press('policy-toggle-a')
    expect(callsOf(backend, 'signer.putPolicy')).toEqual([])
    input('policy-on-a-master', 'the master')
    await press('policy-on-a-submit')
    await waitFor(() => expect(callsOf(backend, 'signer.putPolicy')).toHaveLength(1))

    const sent = Object(callsOf(backend, 'signer.putPolicy')[0]?.params)
    const change = changeText({ change: 'put', policy: { ...policy, enabled: true }, was: 'v1' })
    expect(JSON.parse(sent.master.statement)).toEqual({
      contents: [approvedChangeHash(change)],
      keepMinutes: 0,
      page: null,
    })
    expect(JSON.stringify(sent)).not.toContain(btoa('the master'))
  })
})

describe('the rule script', () => {
  const rules = { file: '/r.js', sha256: 'a'.repeat(64), cap: SCRIPT_CAP, isOther: false }

  it.each([
    ['a'.repeat(64), 0],
    ['b'.repeat(64), 1],
  ])('is read, never changed, and a text with the hash %s is recognized', async (sha256, alerts) => {
    await open(
      '/accounts/rules',
      prepared('open', (it) =>
        it
          .emit('signer.vault', { state: 'open', stored: [], rules, takenAt: NOW })
          .answer('signer.rulesText', () => ({ rules: { file: '/r.js', sha256, text: 'function ApproveTx() {}' } })),
      ),
    )
    await press('script-show')

    expect(screen.getByTestId('script-text').textContent).toBe('function ApproveTx() {}')
    expect(screen.getByTestId('rules-script').textContent).toMatch(/it may sign 100 times and move 100\sLAX/)
    expect(screen.queryAllByRole('alert')).toHaveLength(alerts)
  })

  const opened = (vault: object) =>
    open(
      '/accounts/rules',
      prepared('open', (it) =>
        it
          .emit('signer.vault', { state: 'open', stored: [], rules: { ...rules, ...vault }, takenAt: NOW })
          .answer('signer.attestRules', () => ({})),
      ),
    )

  it.each([
    ['first allowed', { cap: null }],
    ['allowed with others', {}],
  ])('has the limits that the person sets when it is %s', async (_what, vault) => {
    const { backend } = await opened(vault)
    change('attest-signatures', '7')
    change('attest-lax', '0.5')
    input('attest-master', 'the master')
    await press('attest-submit')

    expect(callsOf(backend, 'signer.attestRules')[0]?.params).toEqual({
      sha256: rules.sha256,
      signatures: 7,
      wei: '500000000000000000',
      master: btoa('the master'),
    })
  })

  it.each([
    ['0', '1'],
    ['1000001', '1'],
    ['1.5', '1'],
    ['', '1'],
    ['3', ''],
    ['3', '-1'],
    ['3', '1e3'],
  ])('is not allowed for %s signatures and %s LAX', async (signatures, lax) => {
    const { backend } = await opened({ cap: null })
    change('attest-signatures', signatures)
    change('attest-lax', lax)
    input('attest-master', 'the master')
    await press('attest-submit')

    expect(callsOf(backend, 'signer.attestRules')).toEqual([])
  })

  it('says why none is used when another one was allowed elsewhere', async () => {
    await opened({ cap: null, isOther: true })

    expect(screen.getByTestId('rules-script').textContent).toContain('allows another one than you allowed here last')
  })

  it('can be read while the vault is locked, but not allowed', async () => {
    await open(
      '/accounts/rules',
      prepared('closed', (it) =>
        it.emit('signer.vault', { state: 'closed', stored: [], rules: { ...rules, cap: null }, takenAt: NOW }),
      ),
    )

    expect(screen.getByTestId('script-show')).toBeTruthy()
    expect(screen.queryByText('Allow this script')).toBeNull()
    expect(screen.getByTestId('rules-script').textContent).toContain('Unlock the vault to see')
  })
})

describe('the audit log', () => {
  it('names the first bad entry', async () => {
    await open(
      '/activity/audit',
      prepared('missing', (it) =>
        it.answer('signer.auditVerify', () => ({ isWhole: false, records: 7, reason: 'it is not JSON' })),
      ),
    )
    await press('audit-verify')

    expect(screen.getByTestId('audit-verdict').textContent).toBe('Entry 7 is invalid: it is not JSON')
  })
})
