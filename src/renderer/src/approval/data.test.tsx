// Data to be signed: each kind has its view, and nothing of a document is hidden.
import { cleanup, screen } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import type { DataRequestView } from '../../../contract/signer'
import { aRequest, aTransaction } from '../testing/scripted-values'
import { show } from '../testing/show-approval'

afterEach(cleanup)

function someData(change: Partial<DataRequestView> = {}): DataRequestView {
  return {
    address: '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F',
    form: 'text',
    contentType: 'text/plain',
    hashed: '0x1900',
    hash: `0x${'ab'.repeat(32)}`,
    text: 'sign in\u202egnp',
    messages: [],
    raw: '["text/plain"]',
    ...change,
  }
}

const shown = (change: Partial<DataRequestView> = {}) =>
  show([
    aRequest({
      kind: change.form === 'typed' ? 'signTypedData' : 'signData',
      transaction: null,
      data: someData(change),
    }),
  ])

describe('data to sign', () => {
  it('as text shows invisible characters, its type, and the hash', async () => {
    await shown()

    expect(screen.getByTestId('approval-kind').textContent).toContain('Sign data')
    expect(screen.getByTestId('approval-text').textContent).toContain('U+202E')
    expect(screen.getByTestId('approval-content-type').textContent).toContain('text/plain')
    expect(screen.getByTestId('approval').textContent).toContain('ab'.repeat(32))
  })

  it('that nobody can read is hex, and says that it is no text', async () => {
    const hex = `0x${'9f3b'.repeat(16)}`
    await shown({ text: null, messages: [{ name: 'message', value: hex, type: 'hexdata' }] })

    expect(screen.getByTestId('approval-bytes').textContent).toBe(hex)
    expect(screen.getByTestId('approval').textContent).toContain('Not text, shown as hex')
  })

  it('as a document shows every element of every list as a field', async () => {
    const leaf = (name: string, value: string) => ({ name, value, type: 'uint8' })
    const list = Array.from({ length: 30 }, (_item, index) => leaf(`[${index}]`, `value ${index}`))
    await shown({
      form: 'typed',
      contentType: 'data/typed',
      text: null,
      messages: [
        { name: 'EIP712Domain', type: 'domain', value: [{ name: 'name', type: 'string', value: 'Shop' }] },
        { name: 'Order', type: 'primary type', value: [{ name: 'items', type: 'uint8[]', value: list }] },
      ],
    })

    const fields = screen.getByTestId('approval-typed')
    expect(fields.textContent).toContain('Shop')
    expect(fields.textContent).toContain('value 29')
    expect(fields.querySelectorAll('[data-field]')).toHaveLength(31)
  })

  it('for a contract names the contract', async () => {
    const messages = [{ name: 'Intended validator address', type: 'address', value: '0x4592' }]
    await shown({ form: 'validator', contentType: 'data/validator', text: null, messages })

    expect(screen.getByTestId('approval').textContent).toContain('Intended validator address')
    expect(screen.getByTestId('approval').textContent).toContain('0x4592')
  })
})

describe('a decoded call', () => {
  it('shows its arguments and who named the method', async () => {
    const call = {
      signature: 'transfer(address,uint256)',
      name: 'transfer',
      arguments: [
        { type: 'address', value: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
        { type: 'uint256', value: '5' },
      ],
      namedBy: 'caller',
    } as const
    await show([
      aRequest({
        transaction: aTransaction({ data: '0xa9059cbb', call: { ...call, arguments: [...call.arguments] } }),
      }),
    ])

    const section = screen.getByTestId('approval-call')
    expect(section.textContent).toContain('0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826')
    expect(section.textContent).toContain('claimed by the caller')
    expect(screen.getByTestId('approval-total').dataset.value).toBe('12500021000000000001')
  })

  it('says of a string that is no text what it is', async () => {
    const call = {
      signature: 'say(string)',
      name: 'say',
      arguments: [{ type: 'string', value: '0x68ff', isNotText: true }],
      namedBy: 'caller' as const,
    }
    await show([aRequest({ transaction: aTransaction({ data: '0xa9059cbb', call }) })])

    expect(screen.getByTestId('approval-call').textContent).toContain('Not text, shown as hex')
  })

  it("doesn't round a 64-bit nonce", async () => {
    await show([aRequest({ transaction: aTransaction({ nonce: '18446744073709551615' }) })])

    expect(screen.getByTestId('approval-nonce').textContent).toBe('18446744073709551615')
  })

  it('names the program at the other end if the system reports it', async () => {
    const request = aRequest()
    await show([
      {
        ...request,
        caller: { ...request.caller, process: { pid: 4711, name: 'rig-tool', path: '/usr/bin/rig-tool' } },
      },
    ])

    expect(screen.getByTestId('approval-process').textContent).toBe('rig-tool (process 4711) /usr/bin/rig-tool')
  })
})
