// A page's approvals, made with WebCrypto, as the key process opens them: once, and for what they name.
import { webcrypto } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { approvedDataHash, approvedTransactionHash } from '../../../src/base/approvals'
import { ApprovalKeys, type PageCrypto } from '../../../src/contract/approval/approval-keys'
import { ApprovalGate } from '../../../src/signer/keystore/approval-gate'

const ACCOUNT = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f'
const CONTENT = approvedDataHash(ACCOUNT, '0x1234')
const OTHER = approvedDataHash(ACCOUNT, '0x1235')
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const flipped = (hex: string): string => `${hex.startsWith('0') ? '1' : '0'}${hex.slice(1)}`

let gate = new ApprovalGate()
let page = aPage(gate)

function aPage({ receiver }: ApprovalGate): ApprovalKeys {
  const keys = new ApprovalKeys(webcrypto as unknown as PageCrypto)
  keys.trust(receiver)
  return keys
}

beforeEach(() => {
  gate = new ApprovalGate()
  page = aPage(gate)
})

const codeOf = (run: () => unknown): unknown => {
  try {
    return run()
  } catch (error) {
    return Object(error).code
  }
}

describe('a sealed password', () => {
  it('is opened with its statement, and wiped on the page', async () => {
    const typed = utf8('a fine password')

    const { password, statement } = gate.open(await page.seal(typed, [CONTENT], 5), CONTENT)

    expect(new TextDecoder().decode(password)).toBe('a fine password')
    expect(statement).toEqual({ contents: [CONTENT], keepMinutes: 5, page: await page.page() })
    expect(typed.every((byte) => byte === 0)).toBe(true)
  })

  it('is empty where the password is', async () => {
    expect(gate.open(await page.seal(utf8(''), [CONTENT], 0), CONTENT).password).toHaveLength(0)
  })

  it('opens nothing but the contents it names, each once', async () => {
    const sealed = await page.seal(utf8('secret'), [CONTENT, OTHER], 0)
    const third = approvedDataHash(ACCOUNT, '0x1236')

    expect(codeOf(() => gate.open(sealed, third))).toBe('KEYSTORE_APPROVAL_OTHER')
    gate.open(sealed, CONTENT)
    gate.open(sealed, OTHER)
    expect(codeOf(() => gate.open(sealed, CONTENT))).toBe('KEYSTORE_APPROVAL_USED')
    expect(codeOf(() => gate.open(sealed, OTHER))).toBe('KEYSTORE_APPROVAL_USED')
  })

  it('is unreadable for another key process, and with anything changed', async () => {
    const sealed = await page.seal(utf8('secret'), [CONTENT], 0)
    const statement = sealed.statement.replace('"keepMinutes":0', '"keepMinutes":15')
    const wider = sealed.statement.replace(CONTENT, OTHER)
    const { sender } = await page.seal(utf8('another'), [CONTENT], 0)

    expect(codeOf(() => new ApprovalGate().open(sealed, CONTENT))).toBe('KEYSTORE_APPROVAL_UNREADABLE')
    for (const [name, change] of Object.entries({
      statement,
      wider: { statement: wider },
      password: flipped(sealed.password),
      cut: { password: sealed.password.slice(0, 30) },
      sender,
      point: { sender: `04${'11'.repeat(64)}` },
    })) {
      const changed = { ...sealed, ...(typeof change === 'string' ? { [name]: change } : change) }
      expect([name, codeOf(() => gate.open(changed, CONTENT))]).toEqual([name, 'KEYSTORE_APPROVAL_UNREADABLE'])
    }
    expect(gate.open(sealed, CONTENT).password).toEqual(utf8('secret'))
  })

  it('refuses a statement that says too much', async () => {
    const most = await page.seal(
      utf8('secret'),
      Array.from({ length: 65 }, () => CONTENT),
      0,
    )
    const longest = await page.seal(utf8('secret'), [CONTENT], 16)

    expect(codeOf(() => gate.open(most, CONTENT))).toBe('KEYSTORE_APPROVAL_UNREADABLE')
    expect(codeOf(() => gate.open(longest, CONTENT))).toBe('KEYSTORE_APPROVAL_UNREADABLE')
  })
})

describe('a token', () => {
  it('approves its content once', async () => {
    const token = await page.token(CONTENT)

    gate.accept(token, await page.page(), CONTENT)

    const own = await page.page()
    expect(codeOf(() => gate.accept(token, own, CONTENT))).toBe('KEYSTORE_APPROVAL_USED')
  })

  it('approves nothing else, and not for another page or key process', async () => {
    const [token, own] = [await page.token(CONTENT), await page.page()]
    const stranger = aPage(gate)

    const tries = [
      () => gate.accept(token, own, OTHER),
      () => gate.accept({ ...token, once: flipped(token.once) }, own, CONTENT),
      () => gate.accept({ ...token, signature: flipped(token.signature) }, own, CONTENT),
      () => gate.accept({ ...token, signature: '0'.repeat(128) }, own, CONTENT),
      () => new ApprovalGate().accept(token, own, CONTENT),
    ]
    const foreign = await stranger.token(CONTENT)

    expect(tries.map(codeOf)).toEqual(tries.map(() => 'KEYSTORE_APPROVAL_OTHER'))
    expect(codeOf(() => gate.accept(foreign, own, CONTENT))).toBe('KEYSTORE_APPROVAL_OTHER')
    expect(codeOf(() => gate.accept(token, own, CONTENT))).toBeUndefined()
  })
})

describe('a page', () => {
  it("doesn't seal for another key process until it is told to", async () => {
    const other = new ApprovalGate()

    expect(page.trust(other.receiver)).toBe(false)
    expect(codeOf(() => new ApprovalGate().receiver === other.receiver)).toBe(false)
    page.forget()
    expect(page.trust(other.receiver)).toBe(true)
    expect(other.open(await page.seal(utf8('secret'), [CONTENT], 0), CONTENT).password).toEqual(utf8('secret'))
  })
})

describe('the hash of an approval', () => {
  const plain = {
    chainId: '2110',
    nonce: '1',
    gas: '21000',
    gasPrice: '5',
    maxFeePerGas: null,
    maxPriorityFeePerGas: null,
    to: ACCOUNT,
    value: '7',
    data: '0x',
    accessList: null,
  }
  const hash = (change: object): string => approvedTransactionHash(ACCOUNT, { ...plain, ...change })

  it('differs with everything that is signed', () => {
    const key = `0x${'22'.repeat(32)}`
    const hashes = [
      {},
      { chainId: '2111' },
      { nonce: '2' },
      { gas: '21001' },
      { gasPrice: '6' },
      { to: null },
      { value: '8' },
      { data: '0x00' },
      { accessList: [] },
      { accessList: [{ address: ACCOUNT, storageKeys: [] }] },
      { accessList: [{ address: ACCOUNT, storageKeys: [key] }] },
      { maxFeePerGas: '5' },
      { maxFeePerGas: '5', maxPriorityFeePerGas: '5' },
    ].map(hash)

    expect(new Set(hashes).size).toBe(hashes.length)
    expect(approvedTransactionHash(`0x${'3'.repeat(40)}`, plain)).not.toBe(hash({}))
  })

  it("doesn't differ with what isn't signed", () => {
    expect(hash({ to: ACCOUNT.toUpperCase().replace('0X', '0x') })).toBe(hash({}))
    expect(hash({ maxPriorityFeePerGas: '5' })).toBe(hash({}))
    expect(hash({ maxFeePerGas: '5', gasPrice: '9' })).toBe(hash({ maxFeePerGas: '5', gasPrice: '3' }))
    expect(hash({ maxFeePerGas: '5', accessList: [] })).toBe(hash({ maxFeePerGas: '5' }))
  })
})
