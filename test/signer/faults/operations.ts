// The signer's file operations, each as one operation that a fault can hit: what must exist before, what is done, and
// what has to hold afterwards, wherever it ended.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { silentLogger } from '../../../src/base/logger'
import type { MetricsRegistry } from '../../../src/base/metrics'
import { FakeClock } from '../../../src/base/testing/fake-clock'
import { systemClock } from '../../../src/base/time'
import { verifyAudit } from '../../../src/signer/audit/audit-check'
import { fullFiles } from '../../../src/signer/audit/audit-files'
import { headFileOf, readHead } from '../../../src/signer/audit/audit-head'
import { AuditLog } from '../../../src/signer/audit/audit-log'
import { AccountManager } from '../../../src/signer/keystore/account-manager'
import { type AccountMaker, createAccount } from '../../../src/signer/keystore/create-account'
import { KeyFolder } from '../../../src/signer/keystore/folder'
import { SignerService } from '../../../src/signer/signer-service'
import { localVault } from '../../../src/signer/testing/local-vault'
import { openSeedText } from '../../../src/signer/vault/seed-text'
import { createMasterSeed, EncryptedStore, readSeedFile } from '../../../src/signer/vault/vault'
import { plainPassword } from '../../../src/signer/vault-wire'
import { quickKeys, quickKeyTransport } from './quick-keys'

/** Reports what has become a fact for the outside. */
export type Say = (word: string) => void

export interface Operation {
  /** Faults spare it. */
  readonly prepare: (root: string) => Promise<void>
  readonly run: (root: string, say: Say) => Promise<void>
  /** Throws if something was lost, half done or reported falsely. @param told what `run` reported */
  readonly check: (root: string, told: readonly string[]) => Promise<void>
}

const SECRET = '46'.repeat(32)
const ADDRESS = '0x9d8a62f656a8d1615c1294fd71e9cfb3e4855a4f'
const OLD = 'the old password'
const NEXT = 'the next password'
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
/** Later than any killed process's lock is honored. */
const laterClock = (): FakeClock => new FakeClock(Date.now() + 60_000)

const metrics: MetricsRegistry = {
  counter: () => ({ inc: () => undefined }),
  collect: () => undefined,
}

function placeOf(root: string) {
  const auditFile = join(root, 'audit', 'audit.log')
  return {
    keystore: join(root, 'keystore'),
    auditFile,
    headFile: headFileOf(join(root, 'vault'), auditFile),
    copy: join(root, 'copy', 'key.json'),
    seed: join(root, 'vault', 'masterseed.json'),
    store: join(root, 'vault', 'store', 'credentials.json'),
  }
}

/** The keystore and its audit log, opened as a command does. */
async function withAccounts<T>(
  root: string,
  run: (accounts: AccountManager, maker: AccountMaker, audit: AuditLog) => Promise<T>,
  clock = new FakeClock(Date.now()),
): Promise<T> {
  const { keystore, auditFile, headFile } = placeOf(root)
  const folder = new KeyFolder({ path: keystore, pollMs: 1_000 }, { clock, log: silentLogger, randomBytes })
  const maker: AccountMaker = { folder, keys: quickKeys(), strength: 'light' }
  const audit = new AuditLog({ file: auditFile, headFile, fullBytes: 600 }, { clock })
  await folder.start()
  await mkdir(join(root, 'audit'), { recursive: true })
  await audit.open()
  try {
    return await run(new AccountManager({ maker, record: (entry) => audit.append(entry) }), maker, audit)
  } finally {
    await audit.close()
    await folder.stop()
    maker.keys.close()
  }
}

async function recordsOf(root: string): Promise<readonly Record<string, unknown>[]> {
  const { auditFile } = placeOf(root)
  const records: Record<string, unknown>[] = []
  for (const file of [...(await fullFiles(auditFile)), auditFile]) {
    if (!existsSync(file)) continue
    const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line.endsWith('}'))
    records.push(...lines.map((line) => JSON.parse(line) as Record<string, unknown>))
  }
  return records
}

/** Whatever came before: the audit log can be continued, and is intact. */
async function checkRecord(root: string): Promise<void> {
  const { auditFile, headFile } = placeOf(root)
  await withAccounts(root, (_desk, _maker, audit) => audit.append({ type: 'unlocked', address: ADDRESS }), laterClock())
  assert.deepEqual(await verifyAudit(auditFile, { head: readHead(headFile) }).then(({ ok }) => ok), true)
}

/** Every key file unlocks with one of the passwords, and none is half written. @returns by address, the matching one */
async function checkKeys(root: string, passwords: readonly string[]): Promise<ReadonlyMap<string, string>> {
  return withAccounts(
    root,
    async (accounts, { folder }) => {
      const { keys, problems } = folder.content()
      assert.deepEqual(problems, [])
      const fitting = new Map<string, string>()
      for (const { address } of keys) {
        for (const password of passwords) {
          if (await opens(accounts, address, password)) fitting.set(address, password)
        }
        assert.ok(fitting.has(address), `${address} opens with none of its passwords`)
      }
      assert.equal(fitting.size, keys.length)
      return fitting
    },
    laterClock(),
  )
}

function opens(accounts: AccountManager, address: string, password: string): Promise<boolean> {
  return accounts.prove(address, utf8(password)).then(
    () => true,
    () => false,
  )
}

async function isOnRecord(root: string, type: string): Promise<boolean> {
  return (await recordsOf(root)).some((record) => record.type === type)
}

async function prepareAccount(root: string): Promise<void> {
  await mkdir(join(root, 'copy'), { recursive: true })
  await withAccounts(root, (accounts) => accounts.importAccount(SECRET, { old: null, next: utf8(OLD) }))
}

const create: Operation = {
  prepare: async () => undefined,
  run: (root, say) =>
    withAccounts(root, async (_desk, maker, audit) => {
      const account = await createAccount(maker, utf8(OLD), new AbortController().signal)
      await audit.append({ type: 'created', ...account })
      say(account.address)
    }),
  check: async (root, told) => {
    const keys = await checkKeys(root, [OLD])
    assert.ok(keys.size <= 1)
    for (const address of told) assert.ok(keys.has(address) && (await isOnRecord(root, 'created')))
    await checkRecord(root)
  },
}

const importKey: Operation = {
  prepare: async () => undefined,
  run: (root, say) =>
    withAccounts(root, async (accounts) => {
      say(await accounts.importAccount(SECRET, { old: null, next: utf8(OLD) }))
    }),
  check: async (root, told) => {
    const isThere = (await checkKeys(root, [OLD])).has(ADDRESS)
    if (told.length > 0) assert.ok(isThere && (await isOnRecord(root, 'imported')))
    await checkRecord(root)
    if (!isThere)
      await withAccounts(
        root,
        (accounts) => accounts.importAccount(SECRET, { old: null, next: utf8(OLD) }),
        laterClock(),
      )
    assert.equal((await checkKeys(root, [OLD])).size, 1)
  },
}

const change: Operation = {
  prepare: prepareAccount,
  run: (root, say) =>
    withAccounts(root, async (accounts) => {
      say(await accounts.changePassword(ADDRESS, { old: utf8(OLD), next: utf8(NEXT) }))
    }),
  check: async (root, told) => {
    const fitting = (await checkKeys(root, [OLD, NEXT])).get(ADDRESS)
    assert.ok(fitting !== undefined)
    if (told.length > 0) assert.ok(fitting === NEXT && (await isOnRecord(root, 'passwordChanged')))
    await checkRecord(root)
  },
}

const backUp: Operation = {
  prepare: prepareAccount,
  run: (root, say) =>
    withAccounts(root, async (accounts) => {
      say(await accounts.backUp(ADDRESS, utf8(OLD), placeOf(root).copy))
    }),
  check: async (root, told) => {
    const { copy } = placeOf(root)
    assert.equal((await checkKeys(root, [OLD])).get(ADDRESS), OLD)
    if (told.length > 0) assert.ok(existsSync(copy) && (await isOnRecord(root, 'backedUp')))
    if (!existsSync(copy))
      await withAccounts(root, (accounts) => accounts.backUp(ADDRESS, utf8(OLD), copy), laterClock())
    const text = await readFile(copy, 'utf8')
    await withAccounts(root, (accounts) => accounts.proveCopy(ADDRESS, text, utf8(OLD)), laterClock())
    await checkRecord(root)
  },
}

const forget: Operation = {
  prepare: prepareAccount,
  run: (root, say) =>
    withAccounts(root, async (accounts) => {
      say(await accounts.forget(ADDRESS))
    }),
  check: async (root, told) => {
    const kept = await readdir(join(placeOf(root).keystore, 'forgotten')).catch((): string[] => [])
    const isThere = (await checkKeys(root, [OLD])).has(ADDRESS)
    assert.notEqual(isThere, kept.length === 1)
    if (told.length > 0) assert.ok(!isThere && (await isOnRecord(root, 'forgotten')))
    await checkRecord(root)
  },
}

/** An audit log with such small files that it starts new ones on the way. */
const record: Operation = {
  prepare: (root) => withAccounts(root, async () => undefined),
  run: (root, say) =>
    withAccounts(root, async (_desk, _maker, audit) => {
      for (const word of ['0x01', '0x02', '0x03', '0x04', '0x05']) {
        await audit.append({ type: 'unlocked', address: word })
        say(word)
      }
    }),
  check: async (root, told) => {
    const addresses = (await recordsOf(root)).map(({ address }) => address)
    for (const word of told) assert.ok(addresses.includes(word), `${word} was told and is not on record`)
    await checkRecord(root)
  },
}

const SIGNING = 'signing'

/** A whole signer with one caller, whose request a user approves. */
const sign: Operation = {
  prepare: prepareAccount,
  run: async (root, say) => {
    const { keystore, auditFile, headFile } = placeOf(root)
    const service = new SignerService(
      {
        keystore,
        chainId: 2110,
        london: false,
        lightKdf: true,
        strict: false,
        http: null,
        approvalTimeoutMs: 0,
        auditLog: auditFile,
        auditHead: headFile,
        ownsAuditLog: true,
      },
      {
        keys: () => quickKeyTransport(() => say(SIGNING)),
        clock: new FakeClock(Date.now()),
        log: silentLogger,
        metrics,
        randomBytes,
        lines: null,
        openVault: null,
        market: undefined,
      },
    )
    service.events.on('requestsChanged', ([request]) => {
      if (request?.state !== 'waiting') return
      const { id, nonce, contentHash } = request
      const decision = { id, nonce, contentHash, decision: 'approve', password: utf8(OLD), accounts: null } as const
      void service.decide(decision).catch(() => undefined)
    })
    await service.start(new AbortController().signal)
    try {
      const text = { method: 'account_signData', params: ['text/plain', ADDRESS, '0x68656c6c6f'] }
      say(String(await service.submit(text, { caller: CALLER, callerGone: new AbortController().signal })))
    } finally {
      await service.stop()
    }
  },
  check: async (root, told) => {
    const records = await recordsOf(root)
    const approved = records.filter(({ type, decision }) => type === 'decision' && decision === 'approve').length
    const signed = records.filter(({ type, state }) => type === 'result' && state === 'signed').length
    assert.ok(
      approved >= told.filter((word) => word === SIGNING).length,
      'a signature was made without an approval on record',
    )
    assert.ok(
      signed >= told.filter((word) => word !== SIGNING).length,
      'a signature was handed out that is not on record',
    )
    await checkRecord(root)
  },
}

const CALLER = { transport: 'http', remote: '127.0.0.1:50000', local: 'localhost', userAgent: '', origin: '' } as const

const init: Operation = {
  prepare: (root) => mkdir(join(root, 'vault')).then(() => undefined),
  run: async (root, say) => {
    await makeSeed(root)
    say('made')
  },
  check: async (root, told) => {
    const { seed } = placeOf(root)
    if (told.length > 0) assert.ok(existsSync(seed))
    if (!existsSync(seed)) await makeSeed(root)
    await openSeedText(await readSeedFile(seed), utf8(OLD))
  },
}

function makeSeed(root: string): Promise<void> {
  const password = plainPassword(utf8(OLD))
  return createMasterSeed({ file: placeOf(root).seed, password, strength: 'light', port: localVault(systemClock()) })
}

const storePassword: Operation = {
  prepare: (root) => storeOf(root).change(new Map([['name', utf8(OLD)]])),
  run: async (root, say) => {
    await storeOf(root).change(new Map([['name', utf8(NEXT)]]))
    say('stored')
  },
  check: async (root, told) => {
    const value = new TextDecoder().decode((await storeOf(root).all()).get('name'))
    assert.ok(told.length > 0 ? value === NEXT : value === OLD || value === NEXT)
  },
}

function storeOf(root: string): EncryptedStore {
  return new EncryptedStore({ file: placeOf(root).store, key: new Uint8Array(32), randomBytes })
}

export const operations = { create, importKey, change, backUp, forget, record, sign, init, storePassword }

export type OperationName = keyof typeof operations
