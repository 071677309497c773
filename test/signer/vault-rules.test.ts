// A signer with a vault: rules decide, the stored password signs, everything is on record, and no secret is anywhere
// that it shouldn't be.
import { createHash, randomBytes } from 'node:crypto'
import { chmod, cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SCRIPT_CAP } from '../../src/base/approvals'
import { createLogger, type LogRecord } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { memoryTransportPair } from '../../src/base/wire/memory'
import { verifyAudit } from '../../src/signer/audit/audit-check'
import { serveKeys } from '../../src/signer/keystore/serve-keys'
import type { OpenVault } from '../../src/signer/ports'
import { PolicyList, RuleScript, Rules, RulesClient } from '../../src/signer/rules/rules'
import { serveRules } from '../../src/signer/rules/script-engine'
import { SignerService } from '../../src/signer/signer-service'
import type { LineChannel } from '../../src/signer/ui-api/line-ui'
import { openVault } from '../../src/signer/vault/vault'
import { plainPassword } from '../../src/signer/vault-wire'
import { ACCOUNT_A, ACCOUNT_B, countingMetrics, KEY_A, PASSWORD_A, TRANSFER, VECTORS } from './harness'

const MASTER = 'master password 1'
const SCRIPT = `function ApproveTx(r) { storage.put("last", r.transaction.nonce)
  if (r.transaction.value == "0x3e7") return "Approve"; if (r.transaction.value == "0x0") return "Reject" }`
const clock = systemClock()
const master = () => plainPassword(new TextEncoder().encode(MASTER))
const origin = () =>
  ({
    caller: { transport: 'http', remote: '127.0.0.1:1', local: '', userAgent: '', origin: '', process: null },
    callerGone: new AbortController().signal,
  }) as const

let dir = ''
let logs: LogRecord[] = []
let service: SignerService | null = null

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'vault-rules-'))
  logs = []
  await cp(join(VECTORS, 'keystores/main'), join(dir, 'keystore'), { recursive: true })
  await cp(join(VECTORS, 'configs/rules'), join(dir, 'config'), { recursive: true })
  await chmod(join(dir, 'config/masterseed.json'), 0o400)
})

afterEach(async () => {
  await service?.stop()
  await rm(dir, { recursive: true, force: true })
})

async function start(policies: readonly unknown[] = [], lines: LineChannel | null = null): Promise<SignerService> {
  const log = createLogger('', { minLevel: 'trace', now: () => 0, sink: { write: (r) => void logs.push(r) } })
  const open: OpenVault = async (_input, { record }, port) => {
    const place = { configDir: join(dir, 'config'), seedFile: join(dir, 'config/masterseed.json') }
    const vault = await openVault(place, master(), { port, randomBytes, clock })
    const runner = new RulesClient(
      () => {
        const [ours, theirs] = memoryTransportPair()
        serveRules(theirs, { log, clock, cpuMs: () => null })
        return ours
      },
      { clock },
    )
    const sha256 = createHash('sha256').update(SCRIPT).digest('hex')
    await vault.attestRules({ sha256, ...SCRIPT_CAP }, master())
    const script = new RuleScript({ source: SCRIPT, sha256 }, { runner, storage: vault.scriptStorage, clock, log })
    const silent = async () => undefined
    const list = new PolicyList({ vault, clock, log, record: silent, seal: silent })
    await list.save(policies, master())
    const rules = new Rules({ script, policies: list, log, record })
    const close = async (): Promise<void> => {
      runner.close()
      await rules.settled()
      await vault.journal.settled()
    }
    return { passwords: vault, rules, close }
  }
  service = new SignerService(
    {
      keystore: join(dir, 'keystore'),
      chainId: 2110,
      london: false,
      lightKdf: true,
      strict: false,
      http: null,
      approvalTimeoutMs: 0,
      auditLog: join(dir, 'audit.log'),
    },
    {
      keys: () => {
        const [ours, theirs] = memoryTransportPair()
        serveKeys(theirs, { log, clock, randomBytes })
        return ours
      },
      clock,
      log,
      metrics: countingMetrics(),
      randomBytes,
      openVault: open,
      lines,
    },
  )
  await service.start(new AbortController().signal)
  return service
}

async function everything(folder: string): Promise<string> {
  const names = await readdir(folder, { withFileTypes: true })
  const texts = await Promise.all(
    names.map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? everything(path) : readFile(path, 'latin1')
    }),
  )
  return texts.join('\n')
}

const audited = async (type: string): Promise<Record<string, unknown>[]> =>
  (await readFile(join(dir, 'audit.log'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((record) => record.type === type)

const aPolicy = {
  kind: 'transaction',
  id: 'small',
  name: 'small sums',
  enabled: true,
  expiresAt: null,
  callers: null,
  account: ACCOUNT_A,
  recipients: [ACCOUNT_B],
  methods: [],
  valueWei: '5',
  feeWei: '21000000000000',
  periods: [{ hours: 24, wei: null, count: 2 }],
}

describe('a signer with a vault', () => {
  it('signs what the script approves with the stored password, and asks nobody', async () => {
    const signer = await start()

    const { tx } = await signer.signTransaction({ ...TRANSFER, value: '0x3e7' }, origin())

    expect(tx.hash).toBe('0xdb06feae40eb79a6ea87036a86e09f7e505b0d2dd23b1adcfb086ca7fc6d1aa0')
    expect(await audited('ruling')).toMatchObject([{ judgement: 'approve', by: expect.stringContaining('script ') }])
    expect(await verifyAudit(join(dir, 'audit.log'))).toMatchObject({ ok: true })
  })

  it('denies what the script rejects', async () => {
    const signer = await start()

    await expect(signer.signTransaction({ ...TRANSFER, value: '0x0' }, origin())).rejects.toMatchObject({
      code: 'SIGNER_REQUEST_DENIED',
    })
    expect(signer.requests()).toEqual([])
  })

  it('signs what a policy covers until its limit, then asks', async () => {
    const signer = await start([aPolicy])
    const send = (nonce: string) => signer.signTransaction({ ...TRANSFER, value: '0x5', nonce }, origin())

    await send('0x1')
    await send('0x2')
    const third = send('0x3').catch((error: unknown) => error)
    while (signer.requests().length === 0) await new Promise((resolve) => setImmediate(resolve))
    await signer.rejectAll()

    expect(await third).toMatchObject({ code: 'SIGNER_REQUEST_DENIED' })
    expect(await audited('ruling')).toMatchObject([{ by: 'policy small' }, { by: 'policy small' }])
  })

  it('signs for the chain that the program on the standard streams has set', async () => {
    const call = { id: 1, method: 'clef_setChainId', params: ['2111'] }
    let say: (line: string) => void = () => undefined
    let isSet: () => void = () => undefined
    const set = new Promise<void>((resolve) => {
      isSet = resolve
    })
    const signer = await start([aPolicy], {
      send: (line) => {
        if (line.includes('"result":"0x83f"')) isSet()
      },
      open: ({ onLine }) => {
        say = onLine
      },
      close: () => undefined,
    })
    say(JSON.stringify(call))
    await set

    for (const value of ['0x3e7', '0x5']) {
      const { tx } = await signer.signTransaction({ ...TRANSFER, value, nonce: '0x1', chainId: '0x83f' }, origin())
      expect([35 + 2 * 2111, 36 + 2 * 2111]).toContain(Number(tx.v))
    }
  })

  it('has no secret in its logs, its audit log, its files or its answers', async () => {
    const signer = await start([aPolicy])
    const answers = [await signer.signTransaction({ ...TRANSFER, value: '0x3e7' }, origin())]
    const failed = await signer.signTransaction({ ...TRANSFER, value: '0x0' }, origin()).catch(String)
    await signer.stop()

    const seen = `${JSON.stringify([answers, failed, logs])}${await everything(dir)}`

    for (const secret of [MASTER, PASSWORD_A, KEY_A]) {
      const bytes = Buffer.from(secret)
      const forms = [secret, bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')]
      for (const form of forms) expect(seen.toLowerCase()).not.toContain(form.toLowerCase())
    }
    expect(seen).toContain(ACCOUNT_A)
  })
})
