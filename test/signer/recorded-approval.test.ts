// No path to a signature bypasses a recorded approval: neither at run time, nor in the source.
import { randomBytes } from 'node:crypto'
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import type { AuditEntry } from '../../src/signer/audit/audit-entry'
import type { OpenVault, RuleJudge } from '../../src/signer/ports'
import { PolicyList } from '../../src/signer/rules/rules'
import { openVault as openTheVault } from '../../src/signer/vault/vault'
import { plainPassword } from '../../src/signer/vault-wire'
import { ACCOUNT_A, Harness, PASSWORD_A, TRANSFER, VECTORS } from './harness'

const SIGNER = resolve(__dirname, '..', '..', 'src', 'signer')
const running: Harness[] = []

afterEach(async () => {
  for (const harness of running.splice(0)) await harness.end()
})

const entries = (harness: Harness): readonly AuditEntry[] =>
  readFileSync(harness.auditFile, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditEntry)

const calls = [
  { method: 'account_signTransaction', params: [TRANSFER] },
  { method: 'account_signData', params: ['text/plain', ACCOUNT_A, '0x00'] },
]

describe('a signature', () => {
  it.each(calls)('of $method comes after its approval is on disk', async (call) => {
    const harness = await Harness.start()
    running.push(harness)

    const answer = harness.call(call.method, call.params)
    await harness.approve(await harness.nextRequest(), { password: PASSWORD_A })

    expect((await answer).result).toBeDefined()
    const types = entries(harness).map((entry) => entry.type)
    expect(types.indexOf('decision')).toBeGreaterThan(types.indexOf('request'))
    expect(types.indexOf('result')).toBeGreaterThan(types.indexOf('decision'))
  })

  it('by a rule is recorded as an approval too', async () => {
    const configDir = mkdtempSync(join(tmpdir(), 'recorded-'))
    cpSync(join(VECTORS, 'configs/rules'), configDir, { recursive: true })
    const seedFile = join(configDir, 'masterseed.json')
    chmodSync(seedFile, 0o400)
    const openVault: OpenVault = async (_input, _audit, port) => {
      const master = plainPassword(new TextEncoder().encode('master password 1'))
      const deps = { port, randomBytes, clock: systemClock() }
      const vault = await openTheVault({ configDir, seedFile }, master, deps)
      await vault.attestedRules()
      const silent = async (): Promise<void> => undefined
      const { clock } = deps
      const policies = new PolicyList({ vault, clock, log: silentLogger, record: silent, seal: silent })
      const rules: RuleJudge = {
        judge: async (question, request) => ((await policies.allowScript(question, request)) ? 'approve' : 'ask'),
        approved: silent,
        failed: silent,
        startedUp: silent,
      }
      return { passwords: vault, rules }
    }
    const harness = await Harness.start({ openVault })
    running.push(harness)

    expect((await harness.call('account_signTransaction', [TRANSFER])).result).toBeDefined()

    expect(entries(harness)).toContainEqual(expect.objectContaining({ type: 'decision', decision: 'approve' }))
  })

  it('is requested from the key worker in two places only, both after a record', () => {
    const users = sources(SIGNER).filter(({ text }) =>
      /keys\.(sign|signSealed|signStored|signUnlocked)\(|\bsignDigest\(/.test(text),
    )

    expect(users.map(({ name }) => name).sort()).toEqual([
      'keystore/account-manager.ts',
      'keystore/secret-key.ts',
      'keystore/serve-keys.ts',
      'requests/account-key.ts',
    ])
    const performers = sources(SIGNER).filter(({ text }) => /\.perform\(/.test(text))
    expect(performers.map(({ name }) => name)).toEqual(['requests/queue.ts'])
    const queue = performers[0]?.text ?? ''
    expect(queue.indexOf("decision: 'approve' })")).toBeLessThan(queue.indexOf('entry.request.perform('))
  })
})

function sources(folder: string, inside = ''): readonly { readonly name: string; readonly text: string }[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const name = `${inside}${entry.name}`
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return sources(path, `${name}/`)
    return name.endsWith('.ts') && !name.endsWith('.test.ts') ? [{ name, text: readFileSync(path, 'utf8') }] : []
  })
}
