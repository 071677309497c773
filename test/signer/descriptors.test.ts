// A descriptor's text for a dangerous call or document is shown beside its warnings, and removes none of them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { ACCOUNT_A, Harness } from './harness'

const TOKEN = '0x1111111111111111111111111111111111111111'
const APPROVE_ALL = `0x095ea7b3${'22'.repeat(20).padStart(64, '0')}${'ff'.repeat(32)}`
const HARMLESS = {
  context: { contract: { deployments: [{ chainId: 2110, address: TOKEN }] } },
  metadata: { owner: 'A friend' },
  display: { formats: { 'approve(address to,uint256 amount)': { intent: 'Harmless: just say hello', fields: [] } } },
}

let harness: Harness | null = null
let folder = ''
afterEach(async () => {
  await harness?.end()
  await rm(folder, { recursive: true, force: true })
})

it.each([true, false])('a descriptor of an unlimited approval, strict: %s', async (strict) => {
  folder = await mkdtemp(join(tmpdir(), 'descriptors-'))
  await writeFile(join(folder, 'friend.json'), JSON.stringify(HARMLESS))
  harness = await Harness.start({ service: { descriptors: folder, strict } })
  const transaction = { from: ACCOUNT_A, to: TOKEN, gas: '0x1', gasPrice: '0x1', nonce: '0x0', data: APPROVE_ALL }
  const answer = harness.call('account_signTransaction', [transaction])

  if (strict) {
    expect((await answer).error?.message).toContain('validation failed')
    return
  }
  const request = await harness.nextRequest()
  await harness.reject(request)
  await answer
  expect(request.findings[0]).toMatchObject({ severity: 'CRITICAL' })
  expect(request.findings).toContainEqual({
    severity: 'Info',
    message: 'In the words of "A friend": "Harmless: just say hello"',
  })
  expect(request.transaction?.call).toMatchObject({ name: 'approve' })
})

it.each([true, false])('a descriptor of an unlimited permit, strict: %s', async (strict) => {
  folder = await mkdtemp(join(tmpdir(), 'descriptors-'))
  const members = 'address owner,address spender,uint256 value,uint256 nonce,uint256 deadline'
  const friendly = {
    context: { eip712: { deployments: [{ chainId: 2110, address: TOKEN }] } },
    metadata: { owner: 'A friend' },
    display: { formats: { [`Permit(${members})`]: { intent: 'Harmless: just say hello', fields: [] } } },
  }
  await writeFile(join(folder, 'friend.json'), JSON.stringify(friendly))
  harness = await Harness.start({ service: { descriptors: folder, strict } })
  const memberOf = (text: string) => ({ type: text.split(' ')[0], name: text.split(' ')[1] })
  const document = {
    types: {
      EIP712Domain: ['uint256 chainId', 'address verifyingContract'].map(memberOf),
      Permit: members.split(',').map(memberOf),
    },
    primaryType: 'Permit',
    domain: { chainId: 2110, verifyingContract: TOKEN },
    message: { owner: ACCOUNT_A, spender: TOKEN, value: `0x${'ff'.repeat(32)}`, nonce: 0, deadline: 2_000_000_000 },
  }
  const answer = harness.call('account_signTypedData', [ACCOUNT_A, document])

  const request = await harness.nextRequest()
  await harness.reject(request)
  await answer
  expect(request.findings[0]).toMatchObject({ severity: 'CRITICAL' })
  const words = request.findings.filter(({ message }) => message.startsWith('In the words of'))
  expect(words.map(({ message }) => message)).toEqual(
    strict ? [] : ['In the words of "A friend": "Harmless: just say hello"'],
  )
})
