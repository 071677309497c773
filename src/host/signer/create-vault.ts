// Connects the signer's vault with its rules.
import { join } from 'node:path'
import type { AuditEntry } from '../../signer/audit/audit-entry'
import { headFileOf } from '../../signer/audit/audit-head'
import type { OpenedVault } from '../../signer/ports'
import { Rules } from '../../signer/rules/judge'
import { PolicyList } from '../../signer/rules/policy-list'
import { openRuleScript } from '../../signer/rules/rule-script'
import { RulesClient } from '../../signer/rules/rules-client'
import type { VaultPlace } from '../../signer/vault/open-vault'
import type { Vault } from '../../signer/vault/vault'
import type { TradesDeps } from '../trades-deps'
import { openWorker } from '../workers/worker-host'

/** The vault of this configuration. */
export function vaultPlace({ signer }: TradesDeps['config']): VaultPlace {
  return { configDir: signer.configDir, seedFile: signer.signerSecret ?? join(signer.configDir, 'masterseed.json') }
}

/** Path of the head of this configuration's audit log. */
export function auditHead({ signer }: TradesDeps['config']): string {
  return headFileOf(signer.configDir, signer.auditLog)
}

/**
 * What the signer uses of an open vault: stored passwords, the attested script, policies.
 * @param vault null leaves everything closed: then the user decides everything
 */
export async function openedVault(
  { config, platform, clock, logs }: TradesDeps,
  vault: Vault | null,
  record: (entry: AuditEntry) => Promise<void>,
): Promise<OpenedVault> {
  const log = logs.logger.child({ module: 'signer' })
  if (vault === null) {
    if (config.signer.rules !== null) log.warn('rules are not used: the vault that attests them is locked')
    return { passwords: null, rules: null }
  }
  const runner = new RulesClient(
    () =>
      openWorker({
        name: 'rules',
        entry: join(platform.workerDir, 'rules-worker.cjs'),
        searchFrom: platform.projectRoot,
        log,
        sink: logs.sink,
        minLevel: config.app.logLevel,
        onLost: (reason) => log.error('rules worker was lost', { reason }),
      }),
    { clock },
  )
  const { rules: file } = config.signer
  const script = file === null ? null : await openRuleScript(file, vault, { runner, clock, log })
  // Started ahead of the first question; nobody waits for it here.
  if (script !== null) void runner.warm()
  const policies = new PolicyList({ storage: vault.policyStorage, clock, log, record })
  return {
    passwords: vault,
    rules: new Rules({ script, policies, log, record }),
    policies,
    auditKey: vault.auditKey,
    close: () => runner.close(),
  }
}
