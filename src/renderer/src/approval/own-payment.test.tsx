// A payment of our own form, followed in the approval from its signature into a block.
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { ReceiptView } from '../../../contract/explorer'
import type { SendView } from '../../../contract/signer-tools'
import { stage } from '../testing/render-app'
import type { ScriptedBackend } from '../testing/scripted'
import { aBlock, aHead, aRequest, aTransaction, hashOf, OTHER_ADDRESS, OWN_ADDRESS } from '../testing/scripted-values'
import { ApprovalResult, sendOf } from './ApprovalFooter'

afterEach(cleanup)

const NOW = 1_700_000_000_000
const OWN = aRequest({
  caller: { ...aRequest().caller, transport: 'app' },
  transaction: aTransaction({ from: OWN_ADDRESS, to: OTHER_ADDRESS, value: '7' }),
  createdAt: NOW,
})
const send = (change: Partial<SendView> = {}): SendView => ({
  id: 's',
  from: OWN_ADDRESS.toUpperCase().replace('0X', '0x'),
  to: OTHER_ADDRESS,
  value: '7',
  state: 'sent',
  hash: hashOf('a'),
  reason: '',
  at: NOW,
  ...change,
})
const receipt = (change: Partial<ReceiptView> = {}): ReceiptView => ({
  succeeded: true,
  blockHash: hashOf('b'),
  blockNumber: 43,
  index: 0,
  gasUsed: 21_000,
  cumulativeGasUsed: 21_000,
  fee: '1',
  contractAddress: null,
  logs: [],
  ...change,
})

async function signed(sends: readonly SendView[], answer: () => ReceiptView | null): Promise<ScriptedBackend> {
  const { backend } = await stage(
    <ApprovalResult
      phase="done"
      message=""
      request={OWN}
      waitingCount={0}
      knownAccounts={[]}
      onNext={() => undefined}
    />,
    (scripted) => {
      scripted
        .answer('node.receipt', () => ({ receipt: answer() }))
        .emit('signer.sends', { sends: [...sends], takenAt: NOW })
        .emit('node.head', aHead())
    },
  )
  return backend
}
const head = (backend: ScriptedBackend, number: number) =>
  act(async () => void backend.emit('node.head', aHead({ head: aBlock(number) })))
const payment = () => [screen.getByTestId('payment').dataset.state, screen.getByTestId('payment').textContent]

describe('a payment that was signed here', () => {
  it('waits for a block, is included, and counts confirmations', async () => {
    const found: { receipt: ReceiptView | null } = { receipt: null }
    const backend = await signed([send()], () => found.receipt)
    expect(screen.getByTestId('approval-result').textContent).toContain('Signed and given to your node.')
    expect(payment()).toEqual(['waiting', 'Waiting for a block'])
    expect(screen.getByTestId('approval-payment').querySelector('a')?.getAttribute('href')).toBe(
      `#/node/tx/${hashOf('a')}`,
    )

    found.receipt = receipt()
    await head(backend, 43)
    expect(payment()).toEqual(['mined', 'In block 43, 1 confirmation'])
    await head(backend, 45)
    expect(payment()).toEqual(['mined', 'In block 43, 3 confirmations'])

    // A reorg removed the block.
    found.receipt = null
    await head(backend, 46)
    expect(payment()).toEqual(['waiting', 'Waiting for a block'])
  })

  it('is shown as failed if the contract reverted it, or the node refused it', async () => {
    await signed([send()], () => receipt({ succeeded: false }))
    expect(payment()).toEqual(['reverted', 'Failed in block 43: the contract reverted it'])
    cleanup()

    await signed([send({ state: 'failed', hash: null, reason: 'nonce too\u202E low' })], () => null)
    expect(screen.getByRole('alert').textContent).toContain('your node refused it: nonce too')
    expect(screen.getByRole('alert').textContent).not.toContain('\u202E')
  })

  it("isn't polled forever", async () => {
    const backend = await signed([send()], () => receipt())
    await head(backend, 143)
    const asked = () => backend.calls.filter(({ name }) => name === 'node.receipt').length
    const before = asked()

    await head(backend, 144)

    expect(before).toBeGreaterThan(0)
    expect(asked()).toBe(before)
  })

  it('is the one recorded before its request, among equal ones', () => {
    const [late, own, early] = [send({ id: 'late', at: NOW + 1 }), send({ id: 'own' }), send({ id: 'early', at: 1 })]

    expect(sendOf(OWN, [late, own, early])?.id).toBe('own')
    expect(sendOf(OWN, [send({ value: '8' }), send({ to: OWN_ADDRESS })])).toBeUndefined()
    expect(sendOf(aRequest({ transaction: null }), [own])).toBeUndefined()
  })
})
