// The key worker holds the vault. Here somebody else has the program around it: the channel, the files, and all that
// passed by; but not the master password, which pages sealed for the worker.
import { randomBytes, webcrypto } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  approvedChangeHash,
  approvedDataHash,
  changeText,
  type GivenApproval,
  SCRIPT_CAP,
} from '../../../src/base/approvals'
import type { HeadframeError } from '../../../src/base/errors'
import { silentLogger } from '../../../src/base/logger'
import { FakeClock } from '../../../src/base/testing/fake-clock'
import { createWireClient, type WireClient } from '../../../src/base/wire/client'
import { memoryTransportPair } from '../../../src/base/wire/memory'
import { ApprovalKeys, type PageCrypto } from '../../../src/contract/approval/approval-keys'
import { AccountManager } from '../../../src/signer/keystore/account-manager'
import { readContent } from '../../../src/signer/keystore/content-digest'
import { KeyFolder } from '../../../src/signer/keystore/folder'
import { KeyClient } from '../../../src/signer/keystore/key-client'
import { type KeysWire, keysWire } from '../../../src/signer/keystore/keys-wire'
import { recoverAddress } from '../../../src/signer/keystore/secret-key'
import { serveKeys } from '../../../src/signer/keystore/serve-keys'
import { signedContentSchema } from '../../../src/signer/model/signed-content'
import { newAccountRequest } from '../../../src/signer/requests/request-kinds'
import { ACCOUNT, aPolicy, aTransfer, META, SHOP } from '../../../src/signer/rules/testing/policy-samples'
import { SAMPLE_SEED, sampleSeedText } from '../../../src/signer/testing/local-vault'
import { sealValue } from '../../../src/signer/vault/sealed-values'
import { vaultKeysOf } from '../../../src/signer/vault/seed-text'
import { type GivenPassword, type MadeRecord, plainPassword } from '../../../src/signer/vault-wire'

const MASTER = 'a sample master password'
const PASSWORD = 'the account password'
const ADDRESS = ACCOUNT.toLowerCase()
const HOUR = 3_600_000
/** Calls that take a password as bytes only. */
const PLAIN_BYTES = ['sign', 'unlock']
const utf8 = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(new TextEncoder().encode(text))
const FACTS = { nonce: 'absent', standard: null } as const
type Value = { readonly iv: string; readonly c: string }

let clock = new FakeClock()
let wire: WireClient<KeysWire>
let page: ApprovalKeys
let keyFile = ''
let stored: Value = { iv: '', c: '' }
/** The journal's file, as the program keeps it. */
let file = ''

const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    (answer) => ('signature' in Object(answer) ? 'SIGNED' : 'done'),
    (error: HeadframeError) => error.code,
  )
const written = ({ made }: { readonly made: MadeRecord | null }): string => {
  if (made !== null) file = made.isWhole ? made.text : `${file}${made.text}`
  return file
}
const read = (text: string, vouched: number | null = 0) => wire.call('journalRead', { text, earlier: null, vouched })
const faultOf = async (text: string): Promise<string> => {
  const reading = await read(text)
  return 'fault' in reading ? reading.fault : 'read'
}
const sealed = (password: string, ...changes: readonly object[]) =>
  page.seal(
    utf8(password),
    changes.map((change) => approvedChangeHash(changeText(change))),
    0,
  )
const unlock = async () =>
  wire.call('vaultOpen', { seedFile: await sampleSeedText(), password: await sealed(MASTER, { change: 'unlock' }) })
/** As the person does it. */
async function changed(what: object): Promise<void> {
  const change = changeText(what)
  await wire.call('vaultProve', { change, password: await sealed(MASTER, what) })
  written(await wire.call('policyChange', { change, isTrial: false }))
}
const contentOf = (members: Record<string, unknown> = {}): string =>
  JSON.stringify({ kind: 'transaction', chainId: '2110', transaction: Object(aTransfer(members).body).transaction })
const judge = (request: string, content = contentOf(), more: Record<string, unknown> = {}) =>
  wire.call('policyJudge', {
    request,
    question: JSON.stringify({ method: 'ui_approveTx', body: { call_info: null, meta: META } }),
    address: ADDRESS,
    content,
    facts: FACTS,
    ...more,
  })
const policyOf = async (answer: ReturnType<typeof judge>): Promise<string | null> => (await answer).policy?.id ?? null
const sign = (request: string, content = contentOf(), more: Record<string, unknown> = {}) =>
  wire.call('signStored', {
    keyFile,
    address: ADDRESS,
    value: stored,
    by: 'rule',
    request,
    content,
    alone: false,
    ...more,
  })

beforeEach(async () => {
  clock = new FakeClock()
  file = ''
  const [ours, theirs] = memoryTransportPair()
  serveKeys(theirs, { log: silentLogger, clock, randomBytes })
  wire = createWireClient(keysWire, ours)
  page = new ApprovalKeys(webcrypto as unknown as PageCrypto)
  page.trust((await wire.call('receiver', {})).receiver)
  const secret = plainPassword(new Uint8Array(32).fill(0x46))
  keyFile = (await wire.call('import', { secret, password: plainPassword(utf8(PASSWORD)), strength: 'light' })).keyFile
  await unlock()
  const store = { change: 'store', address: ADDRESS }
  const change = changeText(store)
  await wire.call('vaultProve', { change, password: await sealed(MASTER, store) })
  const password = await sealed(PASSWORD, store)
  stored = (await wire.call('vaultStore', { change, keyFile, address: ADDRESS, password })).value
  await read('')
  await changed({ change: 'put', policy: aPolicy(), was: null })
})

describe('a host that is taken over', () => {
  it('gets a signature with a stored password for what a policy covered, once, and for nothing else', async () => {
    expect(await outcome(sign('r'))).toBe('KEYSTORE_NOT_ALLOWED')
    expect(await policyOf(judge('r'))).toBe('shop')
    expect(await outcome(sign('r', contentOf({ value: '0x3e7' })))).toBe('KEYSTORE_APPROVAL_OTHER')
    expect(await outcome(sign('r', contentOf({ nonce: '0x1' })))).toBe('KEYSTORE_APPROVAL_OTHER')
    expect(await outcome(sign('r', contentOf(), { by: 'streams' }))).toBe('KEYSTORE_NOT_ALLOWED')
    expect(await outcome(sign('other'))).toBe('KEYSTORE_NOT_ALLOWED')

    const { signature } = await sign('r')
    const { digest } = readContent(ADDRESS, signedContentSchema.parse(JSON.parse(contentOf())))
    expect(recoverAddress(digest, signature)).toBe(ADDRESS)
    expect(await outcome(sign('r'))).toBe('KEYSTORE_NOT_ALLOWED')
  })

  it.each([
    ['one wei more', { value: '0x3e9' }],
    ['another recipient', { to: ACCOUNT }],
    ['a higher fee', { gasPrice: '0x2' }],
    ['call data', { data: '0xa9059cbb' }],
    ['a nonce far ahead', { nonce: '0x40' }],
    ['no nonce', { nonce: undefined }],
    ['a contract', { to: '0x' }],
  ])('gets no policy to cover %s, whatever it says of it', async (_what, members) => {
    const body = { call_info: null, meta: META, transaction: Object(aTransfer().body).transaction }
    const question = JSON.stringify({ method: 'ui_approveTx', body })

    expect(await policyOf(judge('r', contentOf(members), { question }))).toBeNull()
    expect(await outcome(sign('r', contentOf(members)))).toBe('KEYSTORE_NOT_ALLOWED')
  })

  it('cannot pass one kind of question off as another, or one account as another', async () => {
    const listing = JSON.stringify({ method: 'ui_approveListing', body: { accounts: [], meta: META } })
    const data = JSON.stringify({ kind: 'data', contentType: 'text/plain', data: '0x61' })

    expect(await policyOf(judge('r', contentOf(), { question: listing }))).toBeNull()
    expect(await policyOf(judge('r', contentOf(), { content: null }))).toBeNull()
    expect(await policyOf(judge('r', contentOf(), { address: SHOP.toLowerCase() }))).toBeNull()
    expect(await outcome(judge('r', data))).toBe('KEYSTORE_CONTENT_INVALID')
    expect(await outcome(judge('r', contentOf({ chainId: '0x1' }), { address: null }))).not.toBe('SIGNED')
    await policyOf(judge('r'))
    expect(await outcome(sign('r', contentOf(), { address: SHOP.toLowerCase() }))).toBe('KEYSTORE_APPROVAL_OTHER')
  })

  it('cannot take counters back: by an older, cut, empty or other file, or by saying that nothing was signed', async () => {
    const before = file
    for (const request of ['a', 'b', 'c']) {
      written(await judge(request))
      expect(await outcome(sign(request))).toBe('SIGNED')
    }
    const [first, ...rest] = file.trimEnd().split('\n')
    const texts = [before, '', `${first}\n`, `${[first, ...rest.slice(0, -1)].join('\n')}\n`]

    expect(await policyOf(judge('d'))).toBeNull()
    for (const text of texts) {
      expect(await faultOf(text)).toBe('older')
      expect(await outcome(judge('d'))).toBe('SIGNER_VAULT_CLOSED')
    }
    expect(await faultOf(file)).toBe('read')
    for (const request of ['a', 'b', 'c']) expect((await wire.call('policyReturn', { request })).made).toBeNull()
    expect(await policyOf(judge('d'))).toBeNull()
  })

  it('cannot return what was signed by judging the same request again', async () => {
    await judge('r')
    await sign('r')
    await judge('r')
    await wire.call('policyReturn', { request: 'r' })
    await judge('r')
    await judge('x')

    expect(await policyOf(judge('d'))).toBeNull() // one signed, two covered
  })

  it('cannot sign by a branch of the journal that it then drops', async () => {
    const before = file
    await judge('a')
    expect(await faultOf(before)).toBe('read') // nothing rests on it
    expect(await outcome(sign('a'))).toBe('KEYSTORE_NOT_ALLOWED')
    const other = written(await judge('b'))
    await sign('b')
    file = before
    const branch = `${before}${other.slice(before.length).replace('"n":3', '"n":4')}`

    expect(await faultOf(branch)).not.toBe('read')
    expect(await faultOf(before)).toBe('older')
  })

  it('cannot widen, add or switch on a policy, restore an older file, or allow a script', async () => {
    const wider = { change: 'put', policy: aPolicy({ id: 'mine', valueWei: '9'.repeat(30) }), was: null }
    const change = changeText(wider)
    const other = { change: 'put', policy: aPolicy({ id: 'b' }), was: null }
    const approval = await sealed(MASTER, other)
    const tries = [
      wire.call('policyChange', { change, isTrial: false }),
      wire.call('vaultProve', { change, password: approval }),
      wire.call('vaultProve', { change, password: plainPassword(utf8('a guess')) }),
      wire.call('journalRestore', { change: changeText({ change: 'restore' }), text: file, vouched: 0 }),
      wire.call('vaultAttest', { change: changeText({ change: 'attest', sha256: 'a'.repeat(64), ...SCRIPT_CAP }) }),
      wire.call('vaultStore', { change, keyFile: null, address: ADDRESS, password: approval }),
    ]
    expect(await Promise.all(tries.map(outcome))).toEqual([
      'SIGNER_MASTER_NEEDED',
      'KEYSTORE_APPROVAL_OTHER',
      'SIGNER_MASTER_PASSWORD',
      'SIGNER_MASTER_NEEDED',
      'SIGNER_MASTER_NEEDED',
      'KEYSTORE_APPROVAL_OTHER',
    ])
    await wire.call('vaultProve', { change: changeText(other), password: approval })
    expect(await outcome(wire.call('policyChange', { change, isTrial: false }))).toBe('SIGNER_MASTER_NEEDED')
    await wire.call('policyChange', { change: changeText(other), isTrial: false })
    expect(await outcome(wire.call('policyChange', { change: changeText(other), isTrial: false }))).toBe(
      'SIGNER_POLICY_CHANGED',
    )
    expect(await outcome(wire.call('vaultProve', { change: changeText(other), password: approval }))).toBe(
      'KEYSTORE_APPROVAL_USED',
    )
    expect(await policyOf(judge('r', contentOf({ value: '0x9999999' })))).toBeNull()
  })

  it('cannot make a record, or bring one of another vault', async () => {
    const [first = '', second = ''] = file.split('\n')
    const forged = JSON.stringify({ n: 3, iv: 'AAAAAAAAAAAAAAAA', c: Buffer.alloc(64).toString('base64') })

    for (const text of [
      `${file}${forged}\n`,
      `${first}\n${second.replace('"c":"', '"c":"A')}\n`,
      `${second}\n${first}\n`,
    ]) {
      expect(await faultOf(text)).not.toBe('read')
    }
  })

  describe('beside a rule script, which it may say approved anything,', () => {
    const attest = async (cap: object) => {
      const what = { change: 'attest', sha256: 'a'.repeat(64), ...cap }
      const change = changeText(what)
      await wire.call('vaultProve', { change, password: await sealed(MASTER, what) })
      const answer = await wire.call('vaultAttest', { change })
      written(answer)
      return answer.value
    }
    const approved = async (request: string, content: string | null, address = ADDRESS) => {
      const answer = await wire.call('policyJudgeScript', { request, address, content })
      written(answer)
      return answer.isCovered
    }
    const text = JSON.stringify({ kind: 'data', contentType: 'text/plain', data: '0x61' })

    it('gets no signature where none is attested, nor by a foreign or misnamed attestation', async () => {
      const { credentials } = vaultKeysOf(Uint8Array.from(SAMPLE_SEED))
      const value = utf8('a'.repeat(64))
      const foreign = sealValue(randomBytes(32), 'ruleset_sha256', { value, randomBytes })
      const misnamed = sealValue(credentials, 'ruleset_sha256', { value, randomBytes })
      for (const attested of [stored, foreign, misnamed]) {
        expect(await wire.call('vaultAttested', { value: attested })).toMatchObject({ script: null, fault: 'changed' })
      }

      expect(await approved('r', contentOf({ value: '0xffff' }))).toBe(false)
      expect(await outcome(sign('r', contentOf({ value: '0xffff' })))).toBe('KEYSTORE_NOT_ALLOWED')
    })

    it('gets what was said to be approved signed once, and nothing else', async () => {
      await attest({ signatures: 9, wei: '1000000' })
      const [payment, other] = [contentOf({ value: '0xffff' }), contentOf({ value: '0xfffe' })]

      expect(await outcome(sign('r', payment))).toBe('KEYSTORE_NOT_ALLOWED')
      expect(await approved('r', payment)).toBe(true)
      expect(await outcome(sign('r', other))).toBe('KEYSTORE_APPROVAL_OTHER')
      expect(await outcome(sign('r', text))).toBe('KEYSTORE_APPROVAL_OTHER')
      expect(await outcome(sign('r', payment))).toBe('SIGNED')
      expect(await outcome(sign('r', payment))).toBe('KEYSTORE_NOT_ALLOWED')
      expect(await approved('t', null)).toBe(true)
      expect(await outcome(sign('t', payment))).toBe('KEYSTORE_APPROVAL_OTHER')
      expect(await outcome(sign('t', text))).toBe('SIGNED')
      expect(await outcome(sign('t', text))).toBe('KEYSTORE_NOT_ALLOWED')
    })

    it('gets no more signatures or LAX of an account in a day than its cap, whatever it then says or puts back', async () => {
      await attest({ signatures: 3, wei: '200000' })
      const before = file
      expect(await approved('a', contentOf({ value: '0x30d41' }))).toBe(false) // 200,001 wei
      expect(await approved('a', contentOf({ value: '0x1ffff' }))).toBe(true)
      expect(await outcome(sign('a', contentOf({ value: '0x1ffff' })))).toBe('SIGNED')
      expect(await approved('b', contentOf({ value: '0x1ffff' }))).toBe(false)
      written(await wire.call('policyReturn', { request: 'a' }))
      expect(await approved('b', contentOf({ value: '0x1ffff' }))).toBe(false)
      for (const request of ['c', 'd']) {
        expect(await approved(request, null)).toBe(true)
        expect(await outcome(sign(request, text))).toBe('SIGNED')
      }
      expect(await approved('e', null)).toBe(false)
      expect(await outcome(sign('e', text))).toBe('KEYSTORE_NOT_ALLOWED')
      expect(await faultOf(before)).toBe('older')
      expect(await faultOf(file)).toBe('read')
      expect(await approved('f', null)).toBe(false)

      expect(await approved('g', null, SHOP.toLowerCase())).toBe(true) // another account's own
      clock.advance(24 * HOUR)
      expect(await approved('h', null)).toBe(true)
    })

    it('cannot widen the cap, nor have an older attestation count', async () => {
      const older = await attest({ signatures: 9, wei: '9' })
      await wire.call('vaultAttested', { value: older })
      const what = { change: 'attest', sha256: 'b'.repeat(64), signatures: 1, wei: '1' }
      const approval = await sealed(MASTER, what)
      await wire.call('vaultProve', { change: changeText(what), password: approval })
      const wider = changeText({ ...what, signatures: 1_000 })

      expect(await outcome(wire.call('vaultAttest', { change: wider }))).toBe('SIGNER_MASTER_NEEDED')
      const { value } = await wire.call('vaultAttest', { change: changeText(what) }).then((made) => {
        written(made)
        return made
      })
      expect(await outcome(wire.call('vaultAttest', { change: changeText(what) }))).toBe('SIGNER_MASTER_NEEDED')
      expect(await wire.call('vaultAttested', { value: older })).toMatchObject({ script: null, fault: 'other' })
      expect(await wire.call('vaultAttested', { value })).toMatchObject({ script: { signatures: 1, wei: '1' } })
      expect([await approved('a', null), await approved('b', null)]).toEqual([true, false])
    })

    it("counts clef's attestation by the default cap from its first use on", async () => {
      const { config } = vaultKeysOf(Uint8Array.from(SAMPLE_SEED))
      const value = sealValue(config, 'ruleset_sha256', { value: utf8('c'.repeat(64)), randomBytes })
      expect(await approved('a', null)).toBe(false)
      const adopted = await wire.call('vaultAttested', { value })
      written(adopted)

      expect(adopted.script).toEqual({ sha256: 'c'.repeat(64), signatures: 100, wei: `100${'0'.repeat(18)}` })
      expect(await faultOf(file)).toBe('read')
      expect(await approved('a', null)).toBe(true)
      expect(await approved('b', contentOf({ value: '0x56bc75e2d63100001' }))).toBe(false) // 100 LAX and 1 wei
    })
  })

  it('cannot open the vault again, and after the person did, knows no older journal', async () => {
    const approval = await sealed(MASTER, { change: 'unlock' })
    const open = async (seedFile: string) => outcome(wire.call('vaultOpen', { seedFile, password: approval }))
    const before = file
    written(await judge('a'))
    await sign('a')
    await wire.call('vaultOpen', { seedFile: await sampleSeedText(), password: approval })
    expect(await open(await sampleSeedText())).toBe('KEYSTORE_APPROVAL_USED')
    expect(await faultOf(before)).toBe('older')
    expect(await faultOf(file)).toBe('read')
    await wire.call('vaultClose', {})

    expect(await outcome(judge('b'))).toBe('SIGNER_VAULT_CLOSED')
    expect(await outcome(sign('b'))).toBe('SIGNER_VAULT_CLOSED')
    const guesses: string[] = []
    for (let i = 0; i < 8; i++) {
      const password = plainPassword(utf8(`guess ${i}`))
      guesses.push(await outcome(wire.call('vaultOpen', { seedFile: await sampleSeedText(), password })))
    }
    expect(guesses.slice(0, 5)).toEqual(Array(5).fill('SIGNER_MASTER_PASSWORD'))
    expect(guesses.at(-1)).toBe('KEYSTORE_TOO_MANY_TRIES')
  })

  it('gets no stored password in any answer, in any order of the messages', async () => {
    const answers: string[] = []
    const names = Object.keys(keysWire.calls)
    const members = {
      request: 'r',
      question: JSON.stringify({ method: 'ui_approveTx', body: {} }),
      address: ADDRESS,
      keyFile,
      content: contentOf({ value: '0x1234' }),
      facts: FACTS,
      value: stored,
      by: 'streams',
      alone: false,
      change: changeText({ change: 'store', address: ADDRESS }),
      isTrial: false,
      text: file,
      earlier: null,
      vouched: 0,
      nonce: '7',
      strength: 'light',
      seedFile: await sampleSeedText(),
      token: null,
      sealed: await sealed(PASSWORD, { change: 'store', address: ADDRESS }),
    }
    const send = wire.call as (name: string, params: unknown) => Promise<unknown>
    for (const name of [...names, ...[...names].reverse()]) {
      const password = PLAIN_BYTES.includes(name) ? utf8('a guess') : plainPassword(utf8('guess'))
      const [newPassword, secret] = [utf8('another'), new Uint8Array(32).fill(1)].map(plainPassword)
      const params = { ...members, password, newPassword, secret }
      answers.push(
        await send(name, params).then(
          (answer) => JSON.stringify(answer),
          (error: HeadframeError) => `${error.code} ${error.message}`,
        ),
      )
    }

    expect(answers.filter((text) => text.includes('signature'))).toEqual([])
    expect(answers.join('\n')).not.toContain(PASSWORD)
    expect(answers.join('\n')).not.toContain(Buffer.from(PASSWORD).toString('base64').replace(/=+$/, ''))
  })

  it('signs what was covered within the hour only', async () => {
    await judge('r')
    clock.advance(HOUR)

    expect(await outcome(sign('r'))).toBe('KEYSTORE_NOT_ALLOWED')
  })

  describe('while the person makes, imports, changes or saves a key', () => {
    const NEXT = 'the next password'
    const KEY = '11'.repeat(32)
    const PHRASE = 'test test test test test test test test test test test junk'
    const own = () => plainPassword(utf8('known to the host'))
    const open = { change: 'open', address: ADDRESS }
    const changing = { change: 'password', address: ADDRESS }
    const create = (password: GivenPassword) => wire.call('create', { password, strength: 'light' })
    const importing = (secret: GivenPassword, password: GivenPassword) =>
      wire.call('import', { secret, password, strength: 'light' })
    const reencrypt = (password: GivenPassword, newPassword: GivenPassword, more: Record<string, unknown> = {}) =>
      wire.call('reencrypt', {
        keyFile,
        address: ADDRESS,
        change: 'password',
        password,
        newPassword,
        strength: 'light',
        ...more,
      })
    const verify = (password: GivenPassword, more: Record<string, unknown> = {}) =>
      wire.call('verify', { keyFile, address: ADDRESS, password, ...more })
    const opens = async (made: { readonly keyFile: string; readonly address: string }, password: string) =>
      outcome(verify(plainPassword(utf8(password)), made))

    it('sees them done with passwords that it never reads', async () => {
      const made = await create(await sealed(NEXT, { change: 'create' }))
      const change = { change: 'import' }
      const bare = await importing(await sealed(KEY, change), await sealed(NEXT, change))
      const words = await importing(await sealed(PHRASE, change), await sealed(NEXT, change))
      const given = { address: null, change: 'import' }
      const file = await reencrypt(await sealed(PASSWORD, change), await sealed(NEXT, change), given)
      const changed = await reencrypt(await sealed(PASSWORD, changing), await sealed(NEXT, changing))

      expect(await Promise.all([made, bare, words, file, changed].map((each) => opens(each, NEXT)))).toEqual(
        Array(5).fill('done'),
      )
      expect([bare.address, words.address, file.address, changed.address]).toEqual([
        '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a',
        '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
        ADDRESS,
        ADDRESS,
      ])
      expect(await outcome(verify(await sealed(PASSWORD, open)))).toBe('done')
      const seen = JSON.stringify([made, bare, words, file, changed])
      for (const secret of [NEXT, PASSWORD, KEY, 'junk']) expect(seen).not.toContain(secret)
    })

    it('cannot pair what was typed with a password of its own', async () => {
      const change = { change: 'import' }
      expect(await outcome(reencrypt(await sealed(PASSWORD, changing), own()))).toBe('KEYSTORE_APPROVAL_OTHER')
      expect(await outcome(reencrypt(plainPassword(utf8(PASSWORD)), await sealed(NEXT, changing)))).toBe(
        'KEYSTORE_APPROVAL_OTHER',
      )
      const more = { address: null, change: 'import' }
      expect(await outcome(reencrypt(await sealed(PASSWORD, change), own(), more))).toBe('KEYSTORE_APPROVAL_OTHER')
      expect(await outcome(importing(await sealed(KEY, change), own()))).toBe('KEYSTORE_APPROVAL_OTHER')
      const ownKey = plainPassword(new Uint8Array(32).fill(7))
      expect(await outcome(importing(ownKey, await sealed(NEXT, change)))).toBe('KEYSTORE_APPROVAL_OTHER')
    })

    it.each([
      ['a new account', { change: 'create' }],
      ['an import', { change: 'import' }],
      ['a change of this password', changing],
      ['a change of another password', { change: 'password', address: SHOP.toLowerCase() }],
      ['a backup', open],
      ["another account's backup", { change: 'open', address: SHOP.toLowerCase() }],
      ['unlocking the vault', { change: 'unlock' }],
      ['nothing', {}],
    ])('cannot use what was typed for %s for anything else', async (_what, change) => {
      const once = () => sealed(PASSWORD, change)
      const is = (wanted: object) => changeText(wanted) === changeText(change)
      const uses: readonly (readonly [object, () => Promise<unknown>])[] = [
        [{ change: 'create' }, async () => create(await once())],
        [{ change: 'import' }, async () => reencrypt(await once(), await once(), { change: 'import', address: null })],
        [changing, async () => reencrypt(await once(), await once())],
        [open, async () => verify(await once())],
        [
          { change: 'sign' },
          async () =>
            wire.call('signSealed', {
              keyFile,
              address: ADDRESS,
              sealed: await once(),
              content: contentOf(),
              alone: false,
            }),
        ],
      ]
      for (const [wanted, use] of uses) {
        expect(await outcome(use())).toBe(is(wanted) ? 'done' : 'KEYSTORE_APPROVAL_OTHER')
      }
    })

    it('cannot use it twice, changed, for a file of another account, or after the page left', async () => {
      const given = await sealed(PASSWORD, open)
      expect(
        await outcome(verify({ ...given, statement: given.statement.replace('"keepMinutes":0', '"keepMinutes":5') })),
      ).toBe('KEYSTORE_APPROVAL_UNREADABLE')
      expect(await outcome(verify(given))).toBe('done')
      expect(await outcome(verify(given))).toBe('KEYSTORE_APPROVAL_USED')
      const other = (await create(own())).keyFile
      expect(await outcome(verify(await sealed(PASSWORD, open), { keyFile: other }))).toBe('KEYSTORE_KEY_MISMATCH')
      const renamed = other.replace(/"address":"[0-9a-f]{40}"/, `"address":"${ADDRESS.slice(2)}"`)
      const more = { keyFile: renamed }
      expect(await outcome(reencrypt(await sealed(PASSWORD, changing), await sealed(NEXT, changing), more))).toBe(
        'KEYSTORE_WRONG_PASSWORD',
      )
      const approval = await page.seal(utf8(PASSWORD), [approvedDataHash(ADDRESS, '0x61')], 0)
      expect(await outcome(verify(approval))).toBe('KEYSTORE_APPROVAL_OTHER')
    })

    it('learns of a text that cannot be used no more than why', async () => {
      const change = { change: 'import' }
      const fault = async (text: string, password = NEXT) =>
        importing(await sealed(text, change), await sealed(password, change)).then(
          () => 'done',
          ({ code, message }: HeadframeError) => `${code} ${message}`,
        )
      expect(await fault(PHRASE.replace('junk', 'jumk'))).toMatch(/^KEYSTORE_PHRASE_INVALID .*word 12 /)
      expect(await fault(PHRASE.replace('junk', 'test'))).toMatch(/^KEYSTORE_PHRASE_INVALID .*checksum/)
      expect(await fault('5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ')).toMatch(/FILE_INVALID .*WIF/)
      expect(await fault('a secret sentence')).toMatch(/^KEYSTORE_FILE_INVALID (?!.*sentence)/)
      expect(await fault(KEY, 'short')).toMatch(/^SIGNER_PASSWORD_POLICY /)
      expect(await fault('0'.repeat(64))).toMatch(/^KEYSTORE_SECRET_INVALID /)
    })
  })
})

describe('a host that is not', () => {
  it('imports, saves, proves and changes with passwords that a page sealed for the key worker', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'sealed-accounts-'))
    const keys = new KeyClient(() => {
      const [ours, theirs] = memoryTransportPair()
      serveKeys(theirs, { log: silentLogger, clock, randomBytes })
      return ours
    })
    const folder = new KeyFolder({ path: dir, pollMs: 1_000 }, { clock, log: silentLogger, randomBytes })
    await folder.start()
    const desk = new AccountManager({ maker: { folder, keys, strength: 'light' }, record: async () => undefined })
    const page = new ApprovalKeys(webcrypto as unknown as PageCrypto)
    page.trust(await keys.receiver())
    const sealed = (text: string, change: object) => page.seal(utf8(text), [approvedChangeHash(changeText(change))], 0)
    const address = ACCOUNT.toLowerCase()
    const imported = { change: 'import' }
    const secret = await sealed('46'.repeat(32), imported)
    expect(await desk.importAccount(secret, { old: null, next: await sealed(PASSWORD, imported) })).toBe(ACCOUNT)
    const { keyFile } = await desk.exportFile(ACCOUNT, await sealed(PASSWORD, { change: 'open', address }))
    await desk.proveCopy(ACCOUNT, keyFile, await sealed(PASSWORD, { change: 'open', address }))
    const change = { change: 'password', address }
    await desk.changePassword(ACCOUNT, { old: await sealed(PASSWORD, change), next: await sealed(MASTER, change) })
    await desk.prove(ACCOUNT, utf8(MASTER))

    const caller = { transport: 'app', remote: '', local: '', userAgent: '', origin: '', process: null } as const
    const request = newAccountRequest(caller, new AbortController().signal, {
      maker: { folder, keys, strength: 'light' },
      log: silentLogger,
      showError: () => undefined,
    })
    const approve = async (given: GivenApproval) => {
      const approval = { id: '', by: 'window', password: null, accounts: null, edits: null, answered: null } as const
      return request.perform({ ...approval, given, input: null }, new AbortController().signal)
    }
    const short = await sealed('short', { change: 'create' })
    expect(await approve(short)).toMatchObject({ kind: 'retry', final: { code: 'SIGNER_ACCOUNT_CREATION_FAILED' } })
    expect(await approve(short)).toMatchObject({
      kind: 'retry',
      isFree: true,
      final: { code: 'KEYSTORE_APPROVAL_USED' },
    })
    const made = await approve(await sealed(PASSWORD, { change: 'create' }))
    if (made.kind !== 'done') throw new Error(made.kind)
    await desk.prove(made.result.address, utf8(PASSWORD))
    await folder.stop()
    keys.close()
    await rm(dir, { recursive: true })
  })
})
