import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { ScriptedBackend } from '../../data/scripted'
import { aBlock, anInfo, OTHER_ADDRESS, OWN_ADDRESS } from '../../data/scripted-values'
import { fill, NOW, open as openApp } from '../../testing/open-app'
import { lockedRewards } from './Maturity'
import { EMPTY_DRAFT, policyOf } from './policy-form'

afterEach(cleanup)

const READ_CONTROL = { control: true, approve: false }
const draft = { nonce: 4, gas: '21000', gasPrice: '1000000000', problem: '' }
const change = (testId: string, value: string) => fireEvent.change(screen.getByTestId(testId), { target: { value } })
const press = (testId: string) => act(async () => void fireEvent.click(screen.getByTestId(testId)))
const input = (testId: string, value: string) => fireEvent.input(screen.getByTestId(testId), { target: { value } })
const callsOf = (backend: ScriptedBackend, name: string) => backend.calls.filter((call) => call.name === name)

function prepared(state: 'missing' | 'closed' | 'open', more: (backend: ScriptedBackend) => void = () => undefined) {
  return (backend: ScriptedBackend): void => {
    fill(backend)
    backend
      .answer('signer.audit', () => ({ rows: [] }))
      .answer('signer.policies', () => ({ policies: [] }))
      .emit('signer.vault', { state, stored: [], rules: null, takenAt: NOW })
    more(backend)
  }
}

/** With the screen, which is loaded when it is first visited. */
async function open(path: string, prepare: (backend: ScriptedBackend) => void) {
  const scene = await openApp(path, prepare)
  await screen.findByRole('heading', { level: 1 }, { timeout: 5_000 })
  await scene.pass(0)
  return scene
}

describe('an account', () => {
  const path = `/accounts/${OWN_ADDRESS}`

  it('sends by asking: the amount exactly, the fee before, and nothing on its own', async () => {
    const { backend } = await open(
      path,
      prepared('missing', (it) => it.answer('signer.draft', () => draft).answer('signer.send', () => ({ id: 's' }))),
    )
    change('send-to', OTHER_ADDRESS)
    change('send-amount', '0.000000000000000001')
    await press('send-prepare')
    const before = callsOf(backend, 'signer.send').length
    expect(screen.getByTestId('send-total').dataset.value).toBe(String(21_000n * 10n ** 9n + 1n))
    await press('send-ask')

    expect(before).toBe(0)
    expect(callsOf(backend, 'signer.send')[0]?.params).toEqual({
      ...{ from: OWN_ADDRESS, to: OTHER_ADDRESS, value: '1', data: '0x' },
      ...{ nonce: 4, gas: '21000', gasPrice: '1000000000' },
    })
  })

  it('asks anew for fee and nonce after the amount was changed', async () => {
    await open(
      path,
      prepared('missing', (it) => it.answer('signer.draft', () => draft)),
    )
    change('send-to', OTHER_ADDRESS)
    change('send-amount', '1')
    await press('send-prepare')
    change('send-amount', '2')

    expect(screen.queryByTestId('send-ask')).toBeNull()
  })

  it('shows what became of a send', async () => {
    const { backend } = await open(path, prepared('missing'))
    const send = { id: 's', from: OWN_ADDRESS, to: OTHER_ADDRESS, value: '1', hash: null, at: NOW }
    await act(async () => {
      backend.emit('signer.sends', { sends: [{ ...send, state: 'failed', reason: 'nonce too low' }], takenAt: NOW })
    })

    expect(screen.getByTestId('send-row').dataset.state).toBe('failed')
    expect(screen.getByTestId('send-row').textContent).toContain('nonce too low')
  })

  it('asks for no record and offers no password without the right to decide', async () => {
    const { backend } = await open(
      path,
      prepared('open', (it) => it.answer('app.info', () => anInfo({ access: READ_CONTROL }))),
    )

    expect(callsOf(backend, 'signer.audit')).toEqual([])
    expect(screen.queryByTestId('change-password')).toBeNull()
  })

  it('is refused where the keystore does not have it', async () => {
    await open(`/accounts/${OTHER_ADDRESS}`, prepared('missing'))

    expect(screen.queryByTestId('send-form')).toBeNull()
  })
})

describe('rewards on their way', () => {
  const rewards = (head: number) =>
    lockedRewards([aBlock(42), aBlock(41, { miner: OTHER_ADDRESS }), aBlock(33), aBlock(32)], {
      address: OWN_ADDRESS.toUpperCase().replace('0X', '0x'),
      head,
      maturity: 10,
    })

  it('are the own blocks that are not unlocked yet, the next one first', () => {
    expect(rewards(42).map(({ unlockHeight, progress }) => [unlockHeight, progress])).toEqual([
      [43, 0.9],
      [52, 0],
    ])
  })

  it('end at their height', () => {
    expect(rewards(52)).toEqual([])
  })
})

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

  it('says why it stays closed', async () => {
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

  it('is made only when both passwords are the same', async () => {
    const { backend } = await open('/accounts/rules', prepared('missing'))
    input('vault-init-master', 'a long password')
    input('vault-init-master-again', 'another password')
    await press('vault-init-submit')

    expect(callsOf(backend, 'signer.vaultInit')).toEqual([])
    expect(screen.getByTestId('vault-init-outcome').dataset.state).toBe('failed')
  })

  it('shows no policies while it is closed, and nothing at all without the right to decide', async () => {
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

  it('are made from exact amounts', () => {
    expect(policyOf({ ...DRAFT, most: '0.000000000000000001' }, { id: 'a', now: 1_000 })).toEqual({
      ...{ id: 'a', name: 'small', enabled: true, callers: null, kind: 'transaction', account: OWN_ADDRESS },
      ...{ expiresAt: 1_000 + 30 * 86_400_000, recipients: [OTHER_ADDRESS], methods: [], valueWei: '1' },
      ...{ feeWei: '10000000000000000', periods: [{ hours: 24, wei: '5000000000000000000', count: null }] },
    })
  })

  it.each([
    [{ name: ' ' }, 'ui.policy.needName'],
    [{ recipients: `${OTHER_ADDRESS} 0x12` }, 'ui.policy.needRecipients'],
    [{ most: '1,000' }, 'ui.policy.needAmounts'],
    [{ perPeriod: '' }, 'ui.policy.needAmounts'],
    [{ hours: '0' }, 'ui.policy.needHours'],
    [{ methods: 'transfer' }, 'ui.policy.needMethods'],
    [{ days: '0' }, 'ui.policy.needDays'],
  ])('are not made from %j', (part, fault) => {
    expect(policyOf({ ...DRAFT, ...part }, { id: 'a', now: 0 })).toBe(fault)
  })

  it('are tried before they hold, and saved as a whole list', async () => {
    const { backend } = await open(
      '/accounts/rules',
      prepared('open', (it) =>
        it
          .answer('signer.dryRun', () => ({
            rows: [{ id: 'r', time: NOW, kind: 'signTransaction', policy: 'small', reason: '' }],
          }))
          .answer('signer.savePolicies', ({ policies }) => ({ policies })),
      ),
    )
    change('policy-name', 'small')
    change('policy-recipients', OTHER_ADDRESS)
    change('policy-most', '1')
    change('policy-perPeriod', '5')
    await press('policy-try')
    const savedBefore = callsOf(backend, 'signer.savePolicies').length
    expect(screen.getByTestId('policy-trial').textContent).toMatch(/Of 1 past requests 1 would/)
    await press('policy-save')

    expect(savedBefore).toBe(0)
    expect(screen.getByTestId('policy-row').textContent).toMatch(/at most 1\sLAX to 0x5aaeb6…eaed/)
  })
})

describe('the record', () => {
  it('names the first bad entry', async () => {
    await open(
      '/activity/audit',
      prepared('missing', (it) =>
        it.answer('signer.auditVerify', () => ({ isWhole: false, records: 7, reason: 'it is not JSON' })),
      ),
    )
    await press('audit-verify')

    expect(screen.getByTestId('audit-verdict').textContent).toBe('Record 7 is bad: it is not JSON')
  })
})
