import { createHash, randomBytes } from 'node:crypto'
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SCRIPT_CAP, type ScriptCap } from '../../base/approvals'
import { createLogger, type LogRecord } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { systemClock } from '../../base/time'
import type { Transport } from '../../base/wire/define'
import { memoryTransportPair } from '../../base/wire/memory'
import type { AuditEntry } from '../audit/audit-entry'
import { SignerError } from '../errors'
import type { Question } from '../ports'
import { localVault } from '../testing/local-vault'
import { openVault, type Vault } from '../vault/vault'
import { plainPassword } from '../vault-wire'
import { openRuleScript, PolicyList, type RuleScript, Rules, RulesClient } from './rules'
import { serveRules } from './script-engine'

const VECTORS = join(__dirname, '../../../test/vectors/signer')
const SHOP = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
const BLOCKED = '0x4592D8f8D7B001e72Cb26A73e4Fa1806a51aC79d'

let dir = ''
let logs: LogRecord[] = []
let recorded: AuditEntry[] = []
const log = createLogger('rules', { minLevel: 'trace', now: () => 0, sink: { write: (r) => void logs.push(r) } })

const inThread = (): RulesClient =>
  new RulesClient(
    () => {
      const [ours, theirs] = memoryTransportPair()
      serveRules(theirs, { log, clock: systemClock(), cpuMs: () => null })
      return ours
    },
    { clock: systemClock() },
  )

/** The script that the vault of the vectors attests. */
async function vectorScript(): Promise<string> {
  const { cases } = JSON.parse(await readFile(join(VECTORS, 'vault.json'), 'utf8'))
  return cases.find((one: { id: string }) => one.id === 'rule-list').launch.files['rules.js']
}

const master = () => plainPassword(new TextEncoder().encode('master password 1'))

async function aVault(): Promise<Vault> {
  await cp(join(VECTORS, 'configs/rules'), dir, { recursive: true })
  const seedFile = join(dir, 'masterseed.json')
  await chmod(seedFile, 0o400)
  const clock = systemClock()
  return openVault({ configDir: dir, seedFile }, master(), { port: localVault(clock), randomBytes, clock })
}

async function open(source: string, vault: Vault, runner = inThread()): Promise<RuleScript | null> {
  const file = join(dir, 'rules.js')
  await writeFile(file, source)
  return openRuleScript(file, vault, { runner, clock: new FakeClock(), log })
}

async function attested(
  source: string,
  cap: ScriptCap = SCRIPT_CAP,
): Promise<{ readonly script: RuleScript | null; readonly vault: Vault }> {
  const vault = await aVault()
  await vault.attestRules({ sha256: createHash('sha256').update(source).digest('hex'), ...cap }, master())
  return { script: await open(source, vault), vault }
}

const rulesOf = (script: RuleScript | null): Rules =>
  new Rules({ script, policies: null, log, record: async (entry) => void recorded.push(entry) })

const aTransfer = (to: string, value = '0x3e7'): Question => ({
  method: 'ui_approveTx',
  body: { transaction: { to, value }, call_info: null, meta: {} },
})

const storedOf = async (vault: Vault): Promise<Record<string, string>> =>
  Object.fromEntries([...(await vault.scriptStorage.all())].map(([k, v]) => [k, new TextDecoder().decode(v)]))

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'rules-'))
  logs = []
  recorded = []
})

afterEach(async () => {
  await rm(dir, { recursive: true, force: true })
})

describe('a script that approves more than its cap', () => {
  it('has the user asked, and gets back what was not signed', async () => {
    const { script, vault } = await attested('function ApproveTx() { return "Approve" }', {
      signatures: 2,
      wei: '5000',
    })
    const policies = new PolicyList({
      vault,
      clock: new FakeClock(),
      log,
      record: async () => undefined,
      seal: async () => undefined,
    })
    const rules = new Rules({ script, policies, log, record: async () => undefined })
    const ask = (request: string, value = '0x3e7'): Promise<string> => {
      const transaction = { from: SHOP, to: SHOP, gas: '0x1', gasPrice: '0x0', nonce: '0x0', value }
      const body = { transaction, call_info: null, meta: {} }
      return rules.judge({ method: 'ui_approveTx', body, chainId: 2110n }, request)
    }

    expect([await ask('a', '0x1389'), await ask('b'), await ask('c'), await ask('d')]).toEqual([
      'ask',
      'approve',
      'approve',
      'ask',
    ])
    await rules.failed('c')
    expect([await ask('e'), await ask('f')]).toEqual(['approve', 'ask'])
    expect(logs.at(-1)?.message).toContain('more than its cap allows')
  })
})

describe('the script that clef attested', () => {
  it('decides as in clef', async () => {
    const rules = rulesOf(await open(await vectorScript(), await aVault()))
    const data = (value: string): Question => ({
      method: 'ui_approveSignData',
      body: { content_type: 'text/plain', messages: [{ name: 'message', value, type: 'text/plain' }] },
    })

    const judged = [
      await rules.judge({ method: 'ui_approveListing', body: { accounts: [] } }, 'r'),
      await rules.judge(aTransfer(SHOP), 'r'),
      await rules.judge(aTransfer(SHOP, '0x3e8'), 'r'),
      await rules.judge(aTransfer(BLOCKED), 'r'),
      await rules.judge(data('hello you'), 'r'),
      await rules.judge(data('bye'), 'r'),
      await rules.judge({ method: 'ui_approveNewAccount', body: {} }, 'r'),
    ]

    expect(judged).toEqual(['approve', 'approve', 'ask', 'reject', 'approve', 'ask', 'ask'])
  })

  it('counts in its storage what was signed', async () => {
    const vault = await aVault()
    const rules = rulesOf(await open(await vectorScript(), vault))

    await rules.approved('r', { raw: '0x', tx: {} })
    await rules.approved('r', { raw: '0x', tx: {} })

    expect(await storedOf(vault)).toEqual({ count: '2' })
  })

  it("isn't used if a byte of it was changed", async () => {
    expect(await open(`${await vectorScript()}//`, await aVault())).toBeNull()
    expect(logs.at(-1)?.fields).toMatchObject({ reason: expect.stringContaining('are not attested') })
  })

  it("isn't used if its file is missing", async () => {
    const vault = await aVault()

    const script = await openRuleScript(join(dir, 'none.js'), vault, {
      runner: inThread(),
      clock: new FakeClock(),
      log,
    })

    expect(script).toBeNull()
  })
})

describe('a rule script', () => {
  it('keeps what it stored with a request that it leaves open or fails at, as in clef', async () => {
    const source = `function ApproveTx(r) { storage.put("n", "1"); if (r.transaction.value == "0x0") throw "no" }
      function ApproveListing() { storage.put("n", "2"); return "Reject" }`
    const { script, vault } = await attested(source)
    const rules = rulesOf(script)

    await rules.judge(aTransfer(SHOP), 'r')
    await rules.judge(aTransfer(SHOP, '0x0'), 'r')
    const before = await storedOf(vault)
    await rules.judge({ method: 'ui_approveListing', body: {} }, 'r')

    expect(before).toEqual({ n: '1' })
    expect(await storedOf(vault)).toEqual({ n: '2' })
  })

  it('counts questions in its storage and rejects the third, as a guard written for clef does', async () => {
    const source = `function ApproveTx(r) { var n = Number(storage.get("n") || 0) + 1; storage.put("n", String(n))
      if (n >= 3) return "Reject"; if (n == 2) throw "no" }`
    const rules = rulesOf((await attested(source)).script)

    const judged = [1, 2, 3, 4].map(() => rules.judge(aTransfer(SHOP), 'r'))

    expect(await Promise.all(judged)).toEqual(['ask', 'ask', 'reject', 'reject'])
  })

  it('sees at each of many concurrent requests what the previous one stored', async () => {
    const source = `function ApproveTx() { var n = Number(storage.get("n") || 0); storage.put("n", n + 1)
      return n < 3 ? "Approve" : "Reject" }`
    const { script, vault } = await attested(source)
    const rules = rulesOf(script)

    const judged = await Promise.all(Array.from({ length: 6 }, () => rules.judge(aTransfer(SHOP), 'r')))

    expect(judged.filter((judgement) => judgement === 'approve')).toHaveLength(3)
    expect(await storedOf(vault)).toEqual({ n: '6' })
  })

  it("has each decision recorded with its hash, and decides nothing that can't be recorded", async () => {
    const { script } = await attested('function ApproveTx() { return "Approve" }')

    await rulesOf(script).judge(aTransfer(SHOP), 'r')
    const record = () => Promise.reject(new SignerError('SIGNER_AUDIT_UNWRITABLE', { file: 'f', reason: 'full' }))
    const unrecorded = await new Rules({ script, policies: null, log, record }).judge(aTransfer(SHOP), 'r')

    expect(recorded).toEqual([
      {
        type: 'ruling',
        question: 'ui_approveTx',
        judgement: 'approve',
        by: expect.stringMatching(/^script [0-9a-f]{64}$/),
        reason: 'ApproveTx answered Approve',
      },
    ])
    expect(unrecorded).toBe('ask')
  })

  it('has stored everything once it is settled, awaited or not', async () => {
    const { script, vault } = await attested('function OnApprovedTx(r) { storage.put("last", r.raw) }')
    const rules = rulesOf(script)

    for (const raw of ['0x1', '0x2', '0x3']) void rules.approved('r', { raw })
    await rules.settled()

    expect(await storedOf(vault)).toEqual({ last: '0x3' })
  })

  it('is notified of startup, and its output goes to the log', async () => {
    const { script } = await attested('function OnSignerStartup(i) { console.log("up", i.info.extapi_version) }')

    await rulesOf(script).startedUp({ info: { extapi_version: '6.1.0' } })

    expect(logs.map((record) => record.fields.line)).toContain('up 6.1.0')
  })
})

describe('a rules worker', () => {
  it('that was closed is not started again', async () => {
    const opened = { count: 0, closed: 0 }
    const client = new RulesClient(hanging(opened), { clock: new FakeClock() })
    await client.warm()
    client.close()

    await expect(
      client.evaluate({ source: '', run: 'ApproveTx', argument: '{}', storage: [], now: 0 }),
    ).rejects.toMatchObject({
      code: 'SIGNER_RULES_FAILED',
    })
    expect(opened).toEqual({ count: 1, closed: 1 })
  })

  /** Answers only `ready`, like a thread that hangs in an endless loop. */
  function hanging(opened: { count: number; closed: number }): () => Transport {
    return () => {
      opened.count += 1
      const state = { deliver: (_message: unknown): void => undefined, end: (_reason: string): void => undefined }
      return {
        send: (message) => {
          const { id, name } = message as { id: number; name: string }
          if (name === 'ready') queueMicrotask(() => state.deliver({ t: 'result', id, result: {} }))
        },
        onMessage: (listener) => {
          state.deliver = listener
        },
        onClose: (listener) => {
          state.end = listener
        },
        close: () => {
          opened.closed += 1
          state.end('closed')
        },
      }
    }
  }

  it('is ready before the first request, and slow computers get their answer', async () => {
    const clock = new FakeClock()
    const opened: Transport[] = []
    const client = new RulesClient(
      () => {
        const [ours, theirs] = memoryTransportPair()
        serveRules(theirs, { log, clock: systemClock(), cpuMs: () => null })
        opened.push(ours)
        return ours
      },
      { clock },
    )
    await Promise.all([client.warm(), client.warm()])
    const script = await open(await vectorScript(), await aVault(), client)

    const judged = rulesOf(script).judge(aTransfer(SHOP), 'r')
    clock.advance(9_000)

    expect(await judged).toBe('approve')
    expect(opened).toHaveLength(1)
  })

  it('that hangs is ended and replaced, and the person is asked', async () => {
    const opened = { count: 0, closed: 0 }
    const clock = new FakeClock()
    const vault = await aVault()
    const script = await open(await vectorScript(), vault, new RulesClient(hanging(opened), { clock }))
    const rules = rulesOf(script)

    const judged: string[] = []
    for (let i = 0; i < 2; i++) {
      const one = rules.judge(aTransfer(SHOP), 'r').then((judgement) => void judged.push(judgement))
      while (judged.length === i) {
        await new Promise((resolve) => setImmediate(resolve))
        clock.advance(5_000)
      }
      await one
    }

    expect(judged).toEqual(['ask', 'ask'])
    expect(opened).toEqual({ count: 2, closed: 2 })
  })
})
