import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SCRIPT_CAP } from '../../base/approvals'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { resolveConfig } from '../../config/resolve'
import type { AuditEntry } from '../../signer/audit/audit-entry'
import type { OpenedVault } from '../../signer/ports'
import { localVault } from '../../signer/testing/local-vault'
import { plainPassword } from '../../signer/vault-wire'
import { readText } from '../settings/config-settings'
import type { TradesDeps } from '../trades-deps'
import { KeyConfinement, passwordsFor, RunningVault, signerLocks } from './running-vault'

const MASTER = 'a master password'
const ACCOUNT = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'
const GOOD = 'the right password'
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const given = (text: string) => plainPassword(bytes(text))
const withMaster = (password: string) => ({ password: given(password), master: given(MASTER) })
const POLICY = {
  id: 'a',
  name: 'small',
  enabled: true,
  expiresAt: null,
  callers: null,
  kind: 'transaction',
  account: ACCOUNT,
  recipients: null,
  methods: [],
  valueWei: '5',
  feeWei: '5',
  periods: [{ hours: 1, wei: '10', count: null }],
}

describe("a running signer's vault", () => {
  let dir = ''
  let records: AuditEntry[] = []
  let used: OpenedVault[] = []
  let room: RunningVault

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'vault-room-'))
    records = []
    used = []
    await writeFile(join(dir, 'rules.js'), 'function ApproveTx() {}')
    const config = resolveConfig({
      argv: ['run', '--datadir', dir, '--signer.configdir', join(dir, 'clef'), '--signer.lightkdf'].concat(
        '--signer.rules',
        join(dir, 'rules.js'),
      ),
      surroundings: { platform: 'linux', environment: {}, homeDir: '/', workingDir: '/' },
      readFile: readText,
      windowless: true,
    })
    const platform = { workerDir: dir, projectRoot: dir }
    const logs = { logger: silentLogger, sink: { write: () => undefined } }
    const deps = { config, platform, clock: new FakeClock(), logs } as unknown as TradesDeps
    const signer = {
      useVault: (vault: OpenedVault) => void used.push(vault),
      addresses: () => new Set([ACCOUNT.toLowerCase()]),
      accountManager: {
        keyFileOf: async () => 'the key file',
      },
      vaultKeys: localVault(deps.clock, async ({ password }) => {
        if (new TextDecoder().decode(password) !== GOOD) throw new Error('could not decrypt')
      }),
    }
    room = new RunningVault(deps, () => signer as never)
    const audit = { record: async (entry: AuditEntry) => void records.push(entry), seal: async () => undefined }
    await room.openAtStart(null, audit, signer.vaultKeys)
  })
  afterEach(() => rm(dir, { recursive: true, force: true }))

  it('is missing, then created and unlocked, then locked, and unlocked again with the password', async () => {
    const seen = [(await room.state()).state]
    await room.init(given(MASTER))
    seen.push((await room.state()).state)
    room.lock()
    seen.push((await room.state()).state)
    await room.unlock(given(MASTER))
    seen.push((await room.state()).state)

    expect(seen).toEqual(['missing', 'open', 'closed', 'open'])
    expect(used.map(({ passwords }) => passwords !== null)).toEqual([true, false, true])
  })

  it('stays locked after a wrong password, wipes its input, and never creates a second seed', async () => {
    await room.init(given(MASTER))
    room.lock()
    const wrong = bytes('something else')

    await expect(room.unlock(plainPassword(wrong))).rejects.toMatchObject({ code: 'SIGNER_MASTER_PASSWORD' })
    await expect(room.init(given(MASTER))).rejects.toMatchObject({ code: 'SIGNER_SEED_EXISTS' })

    expect(wrong.every((byte) => byte === 0)).toBe(true)
    expect((await room.state()).state).toBe('closed')
  })

  it('stores only passwords that unlock the account, lists the stored ones, and removes them', async () => {
    await room.init(given(MASTER))

    await expect(room.setPassword(ACCOUNT, withMaster('wrong'))).rejects.toThrow('could not decrypt')
    const before = (await room.state()).stored
    await room.setPassword(ACCOUNT, withMaster(GOOD))
    const after = (await room.state()).stored
    await room.setPassword(ACCOUNT, null)

    expect([before, after, (await room.state()).stored]).toEqual([[], [ACCOUNT], []])
    expect(records.map((entry) => (entry.type === 'settings' ? entry.what : ''))).toEqual(['init', 'setpw', 'delpw'])
    expect(JSON.stringify(records)).not.toContain(GOOD)
  })

  it('keeps policies behind the master password and rejects malformed ones', async () => {
    expect(() => room.policies).toThrow(expect.objectContaining({ code: 'SIGNER_VAULT_CLOSED' }))
    await room.init(given(MASTER))

    await expect(room.policies.put({ ...POLICY, periods: [] }, null, given(MASTER))).rejects.toMatchObject({
      code: 'SIGNER_POLICY_INVALID',
    })
    await expect(room.policies.put(POLICY, null, null)).rejects.toMatchObject({ code: 'SIGNER_MASTER_NEEDED' })
    await room.policies.put(POLICY, null, given(MASTER))
    room.lock()
    await room.unlock(given(MASTER))

    expect(await room.policies.versioned()).toMatchObject([
      { policy: { name: 'small', account: ACCOUNT.toLowerCase() } },
    ])
    expect(await room.policies.matches()).toEqual([])
  })

  it('shows the script as is, with its hash', async () => {
    const rules = await room.rulesText()

    expect(rules).toMatchObject({ file: join(dir, 'rules.js'), source: 'function ApproveTx() {}' })
    expect(rules?.sha256).toBe((await room.state()).rules?.sha256)
  })

  it('says that no script is used when the folder allows another one than was allowed here last', async () => {
    await room.init(given(MASTER))
    const attest = async () => {
      const sha256 = (await room.state()).rules?.sha256 ?? ''
      await room.attest({ sha256, ...SCRIPT_CAP }, given(MASTER))
    }
    await attest()
    const [name = ''] = (await readdir(dir, { recursive: true })).filter((each) => each.endsWith('config.json'))
    const older = await readFile(join(dir, name))
    await writeFile(join(dir, 'rules.js'), 'function ApproveTx() { return "Reject" }')
    await attest()
    expect((await room.state()).rules).toMatchObject({ cap: SCRIPT_CAP, isOther: false })
    await writeFile(join(dir, name), older)

    expect((await room.state()).rules).toMatchObject({ cap: null, isOther: true })
  })

  it('attests the script with the shown hash, not one that changed in between', async () => {
    await room.init(given(MASTER))
    const shown = (await room.state()).rules?.sha256 ?? ''
    await room.attest({ sha256: shown, signatures: 5, wei: '7' }, given(MASTER))
    const attested = (await room.state()).rules?.cap
    await writeFile(join(dir, 'rules.js'), `${await readFile(join(dir, 'rules.js'), 'utf8')}// more`)

    expect(attested).toEqual({ signatures: 5, wei: '7' })
    expect((await room.state()).rules?.cap).toBeNull()
    await expect(room.attest({ sha256: shown, ...SCRIPT_CAP }, given(MASTER))).rejects.toMatchObject({
      code: 'SIGNER_RULES_NOT_ATTESTED',
    })
  })

  it('has no attestation on record for which the master password was wrong', async () => {
    await room.init(given(MASTER))
    const shown = (await room.state()).rules?.sha256 ?? ''

    await expect(room.attest({ sha256: shown, ...SCRIPT_CAP }, given('wrong'))).rejects.toMatchObject({
      code: 'SIGNER_MASTER_PASSWORD',
    })
    expect(records.map((entry) => (entry.type === 'settings' ? entry.what : ''))).toEqual(['init'])
  })

  it('hands a stored password to a confined key worker only, once that is known', async () => {
    await room.init(given(MASTER))
    await room.setPassword(ACCOUNT, withMaster(GOOD))
    const passwords = used.at(-1)?.passwords
    const early = passwords?.storedFor(ACCOUNT)

    room.confinement.tell({ confined: false, reason: 'no filter here' })

    expect(await early).toBeNull()
    expect(room.confinement.lack()).toBe('no filter here')
    room.confinement.tell({ confined: true, reason: '' })
    expect(await passwords?.storedFor(ACCOUNT)).not.toBeNull()
    expect(room.confinement.lack()).toBeNull()
  })

  it('hands it to any key worker if told to', async () => {
    const confinement = new KeyConfinement()
    confinement.tell({ confined: false, reason: 'no filter here' })
    const stored = { iv: '', c: '' }
    const store = passwordsFor(confinement, { storedFor: async () => stored }, { allowed: true, log: silentLogger })

    expect(await store.storedFor(ACCOUNT)).toBe(stored)
  })
})

describe('the locks of a signer', () => {
  let dir = ''
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'signer-locks-'))
  })
  afterEach(() => rm(dir, { recursive: true, force: true }))

  const locksOf = (configDir: string, auditLog: string, command = 'signer') =>
    signerLocks({ command, trades: { signer: true }, signer: { configDir, auditLog } } as never)
  const start = async (locks: ReturnType<typeof signerLocks>) => {
    for (const lock of locks) await lock.start(new AbortController().signal)
  }

  it.each([
    ['vault', 'a', 'b', '--signer.configdir'],
    ['audit log', 'b', 'a', '--signer.auditlog'],
  ])('refuse a second signer on one %s, in one sentence, and let one follow', async (what, config, audit, option) => {
    const first = locksOf(join(dir, 'a'), join(dir, 'logs', 'a.log'))
    await start(first)
    const second = locksOf(join(dir, config), join(dir, 'logs', `${audit}.log`))

    await expect(start(second)).rejects.toMatchObject({
      code: 'HOST_SIGNER_IN_USE',
      message: expect.stringMatching(
        new RegExp(`another signer .process ${process.pid}. uses the ${what}.*${option}$`),
      ),
    })
    for (const lock of [...second, ...first]) await lock.stop()
    await start(second)
    for (const lock of second) await lock.stop()
  })

  it('are not for commands beside a signer', () => {
    expect(locksOf(dir, join(dir, 'a.log'), 'account')).toEqual([])
  })
})
