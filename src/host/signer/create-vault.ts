// Connects the signer's vault with its rules.
import { dirname, join } from 'node:path'
import type { Service } from '../../base/lifecycle'
import { makeOwnerFolder } from '../../native/system/owner-folder'
import { headFileOf, vouchedVersion } from '../../signer/audit/audit-head'
import type { OpenedVault, PolicyChain, VaultAudit } from '../../signer/ports'
import { PolicyList } from '../../signer/rules/policy-list'
import { openRuleScript } from '../../signer/rules/rule-script'
import { Rules } from '../../signer/rules/rules'
import { RulesClient } from '../../signer/rules/rules-client'
import type { VaultPlace } from '../../signer/vault/open-vault'
import type { Vault } from '../../signer/vault/vault'
import { HostError } from '../errors'
import { DataDirLock } from '../system/lock'
import type { TradesDeps } from '../trades-deps'
import { openTradeWorker } from '../workers/worker-host'
import { type KeyConfinement, passwordsFor } from './open-keys'

export function vaultPlace({ signer }: TradesDeps['config']): VaultPlace {
  const { configDir, signerSecret, auditLog } = signer
  return {
    configDir,
    seedFile: signerSecret ?? join(configDir, 'masterseed.json'),
    // Without an audit log there is no head that could vouch for anything.
    vouched: (folder, key) => vouchedVersion(folder, key) ?? (auditLog === '' ? 0 : null),
  }
}

/**
 * One signer per vault and per audit log: two of them would each reject the other's open requests as left open. None for
 * a command that runs beside a signer.
 */
export function signerLocks({ command, signer, trades }: TradesDeps['config']): readonly Service[] {
  const { configDir, auditLog } = signer
  if (!trades.signer || !ownsAuditLog(command)) return []
  const lock = (name: string, file: string, what: string, option: string): Service => {
    const dir = dirname(file)
    const inUse = (pid: number): Error => new HostError('HOST_SIGNER_IN_USE', { what, pid, option })
    const held = new DataDirLock({ dir, file, pid: process.pid, inUse, mayBeReadOnly: true })
    return {
      name,
      start: () => {
        makeOwnerFolder(dir)
        return held.start()
      },
      stop: () => held.stop(),
    }
  }
  const ofVault = lock('vault-lock', join(configDir, 'signer.lock'), `the vault in ${configDir}`, '--signer.configdir')
  return auditLog === ''
    ? [ofVault]
    : [ofVault, lock('audit-lock', `${auditLog}.owner`, `the audit log ${auditLog}`, '--signer.auditlog')]
}

/** Whether this run is the only one with requests in its audit log. */
export function ownsAuditLog(command: TradesDeps['config']['command']): boolean {
  return command === 'run' || command === 'signer' || command === 'node'
}

export function auditHead({ signer }: TradesDeps['config']): string {
  return headFileOf(signer.configDir, signer.auditLog)
}

/** What the signer uses of an open vault: stored passwords, the attested script, policies. */
export async function openedVault(
  deps: TradesDeps,
  { vault, confinement }: { readonly vault: Vault; readonly confinement: KeyConfinement },
  audit: VaultAudit,
  chain?: PolicyChain,
): Promise<OpenedVault & { readonly policies: PolicyList }> {
  const { config, clock, logs } = deps
  const log = logs.logger.child({ module: 'signer' })
  const minLevel = config.app.logLevel
  const runner = new RulesClient(() => openTradeWorker(deps, 'rules', { log, minLevel }), { clock })
  const { rules: file } = config.signer
  const script = file === null ? null : await openRuleScript(file, vault, { runner, clock, log })
  // Started ahead of the first question; nobody waits for it here.
  if (script !== null) void runner.warm()
  const { record } = audit
  const policies = new PolicyList({ vault, clock, log, ...audit, chain })
  const rules = new Rules({ script, policies, log, record })
  return {
    passwords: passwordsFor(confinement, vault, { allowed: config.signer.unconfined, log }),
    rules,
    policies,
    auditKey: vault.auditKey,
    version: () => vault.journal.version,
    close: async () => {
      runner.close()
      await rules.settled()
      await vault.journal.settled()
    },
  }
}
