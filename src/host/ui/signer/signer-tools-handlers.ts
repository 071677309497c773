// The rest of the signer for the UI: simulation, the vault, policies, keys, sending, the audit log. Everything except
// drafting and requesting to send needs `approve` access, which the server checks beforehand.
import type { z } from 'zod'
import type { SealedPassword } from '../../../base/approvals'
import { secretCopy, wipe } from '../../../base/bytes'
import { checksumAddress } from '../../../base/checksum-address'
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import type { signerCalls } from '../../../contract/signer'
import type { signerToolsCalls as toolsContract, VaultView } from '../../../contract/signer-tools'
import type { NodeService } from '../../../node/node-service'
import { verifyAudit } from '../../../signer/audit/audit-check'
import { auditRows } from '../../../signer/audit/audit-rows'
import type { CallerHistory } from '../../../signer/caller-history'
import { VaultError } from '../../../signer/errors'
import type { Password } from '../../../signer/keystore/key-client'
import type { TransactionEdits } from '../../../signer/model/request'
import type { SignerService } from '../../../signer/signer-service'
import { type GivenPassword, plainPassword } from '../../../signer/vault-wire'
import { tokenNames } from '../../adapters/token-names'
import { limited, simulateRequest } from '../../adapters/transaction-simulation'
import { HostError } from '../../errors'
import type { AccountNotes } from '../../signer/account-notes'
import type { RunningVault } from '../../signer/running-vault'
import type { SendRequests } from '../../signer/send-form'
import { type CallsOf, topic, type UiTopic } from '../ui-handlers'

/** A small Buffer is in memory that Node shares, so it is wiped; the caller wipes the result. */
export function passwordBytes(base64: string): Uint8Array {
  const shared = Buffer.from(base64, 'base64')
  try {
    return secretCopy(shared)
  } finally {
    wipe(shared)
  }
}

/** @param given base64, or sealed */
function givenPassword(given: string | SealedPassword): GivenPassword {
  return typeof given === 'string' ? plainPassword(passwordBytes(given)) : given
}

interface Present {
  readonly signer: SignerService
  readonly tools: SignerTools
}

/** @param present throws when this run has no signer */
function signerAccountCalls(present: () => Present) {
  const keys = () => present().signer.accountManager
  const notes = () => present().tools.accounts
  return {
    'signer.importAccount': ({ text, oldPassword, password }) =>
      withPasswords([oldPassword ?? '', password], async (old, next) => ({
        address: await keys().importAccount(text, { old: oldPassword === null ? null : old, next }),
      })),
    'signer.changePassword': ({ address, oldPassword, password }) =>
      withPasswords([oldPassword, password], async (old, next) => {
        await keys().changePassword(address, { old, next })
        await notes().passwordChanged(address)
      }),
    'signer.exportAccount': ({ address, password }) =>
      withPasswords([password], async (bytes) => {
        const { file, keyFile } = await keys().exportFile(address, bytes)
        await notes().saved(address)
        return { file, text: keyFile }
      }),
    'signer.confirmBackup': ({ address, text, password }) =>
      withPasswords([password], async (bytes) => {
        await keys().proveCopy(address, text, bytes)
        await notes().proved(address)
      }),
    'signer.forgetAccount': ({ address, lastDigits }) => forget(present(), address, lastDigits),
    'signer.setLabel': async ({ address, label }) => notes().label(address, label.trim()),
    'signer.watch': async ({ address, label }) => notes().watch(address, label.trim()),
    'signer.unwatch': async ({ address }) => notes().unwatch(address),
  } satisfies Partial<CallsOf<'signer'>>
}

/** Empty `keptIn`: its key was in a device. The stored password is removed too. @throws HostError HOST_LAST_DIGITS */
async function forget({ signer, tools }: Present, address: string, lastDigits: string): Promise<{ keptIn: string }> {
  const isRight = address.slice(-6).toLowerCase() === lastDigits.toLowerCase()
  if (!isRight) throw new HostError('HOST_LAST_DIGITS', { address: checksumAddress(address) })
  if ((await signer.hardware?.forget(address.toLowerCase())) === true) return { keptIn: '' }
  const { stored } = await tools.vault.state()
  const isStored = stored.some((each) => each.toLowerCase() === address.toLowerCase())
  const keptIn = await signer.accountManager.forget(address)
  if (isStored) await tools.vault.setPassword(address, null)
  return { keptIn }
}

/** Gives each in base64 its own bytes, and wipes them at the end; what a page sealed passes as it is. */
async function withPasswords<T>(
  given: readonly (string | SealedPassword)[],
  run: (...passwords: readonly [Password, Password]) => Promise<T>,
): Promise<T> {
  const passwords = given.map((each) => (typeof each === 'string' ? passwordBytes(each) : each))
  try {
    return await run(passwords[0] ?? new Uint8Array(0), passwords[1] ?? new Uint8Array(0))
  } finally {
    for (const each of passwords) if (each instanceof Uint8Array) wipe(each)
  }
}

export interface SignerTools {
  readonly vault: RunningVault
  /** Null without a node. */
  readonly send: SendRequests | null
  readonly node: NodeService | null
  readonly accounts: AccountNotes
  readonly callers: CallerHistory
  /** Empty = no audit log. */
  readonly auditLog: string
}

interface SignerToolsDeps {
  readonly signer: SignerService | null
  readonly tools: SignerTools | null
  readonly clock: Clock
}

const DRY_RUN_ROWS = 100

type ToolCalls = Omit<CallsOf<'signer'>, keyof typeof signerCalls>

export function signerToolsCalls({ signer, tools, clock }: SignerToolsDeps): ToolCalls {
  const present = (): Present => {
    if (signer === null || tools === null) throw new HostError('HOST_SERVICE_OFF', { service: 'signer' })
    return { signer, tools }
  }
  const sending = (): SendRequests => {
    const { send } = present().tools
    if (send === null) throw new HostError('HOST_SERVICE_OFF', { service: 'node' })
    return send
  }
  return {
    'signer.checkEdits': ({ id, edits }) => {
      const { objection, findings } = present().signer.queue.review(id, edits)
      return { objection, findings: [...findings] }
    },
    'signer.simulate': ({ id, edits }, signal) => simulated(present(), { id, edits, clock }, signal),
    'signer.rejectFrom': async ({ id }) => ({ rejected: await present().signer.queue.rejectFrom(id) }),
    'signer.hearAll': () => present().signer.queue.quiet.clear(),
    ...vaultCalls(() => present().tools.vault),
    ...signerAccountCalls(present),
    'signer.blockCaller': async ({ id }) => {
      const until = await present().tools.callers.block(id)
      if (until === null) throw new HostError('HOST_CALLER_UNKNOWN', { id })
      return { until }
    },
    'signer.unblockCaller': async ({ id }) => present().tools.callers.unblock(id),
    'signer.audit': async ({ count, address }) => {
      const { auditLog } = present().tools
      return { rows: auditLog === '' ? [] : [...(await auditRows(auditLog, { count, address }))] }
    },
    'signer.auditVerify': async () => {
      const { auditLog, vault } = present().tools
      if (auditLog === '') return { isWhole: true, records: 0, reason: '' }
      const verdict = await verifyAudit(auditLog, vault.auditKnowledge())
      if (verdict.ok) return { isWhole: true, records: verdict.records, reason: '' }
      return { isWhole: false, records: verdict.record, reason: verdict.reason }
    },
    'signer.draft': (movement) => sending().draft(movement),
    'signer.send': (movement) => sending().send(movement),
  }
}

/** Of a pending request: what the transaction changes, or what others would do with the signature. */
async function simulated(
  { signer, tools }: Present,
  { id, edits, clock }: { readonly id: string; readonly edits: TransactionEdits | null; readonly clock: Clock },
  signal: AbortSignal,
): Promise<z.infer<(typeof toolsContract)['signer.simulate']['result']>> {
  const { node } = tools
  if (node?.head() == null) return { simulation: null, lack: 'node' }
  const request = signer.requests().find((waiting) => waiting.id === id)
  if (request === undefined) return { simulation: null, lack: 'request' }
  const limit = limited(clock, signal)
  try {
    const accounts = [...signer.addresses()]
    const asked = { request, aside: signer.queue.asideOf(id), edits, accounts }
    const simulation = await simulateRequest(node, asked, limit.signal)
    if (typeof simulation === 'string') return { simulation: null, lack: simulation }
    const { tokens, grants, holdings = [] } = simulation
    const held = holdings.flatMap((each) => (each.kind === 'lax' ? [] : [each.contract]))
    const contracts = [...held, ...[...tokens, ...grants].map(({ contract }) => contract)]
    return { simulation, names: [...(await tokenNames(node, contracts, limit.signal))] }
  } finally {
    limit.dispose()
  }
}

export function signerToolsTopics({ tools, clock, signer }: SignerToolsDeps): readonly UiTopic[] {
  return [
    topic('signer.vault', {
      read: ({ approve }) => vaultView(tools, approve, clock.now()),
      watch: (changed) =>
        new Disposables(tools?.vault.events.on('changed', changed), signer?.events.on('accountsChanged', changed)),
    }),
    topic('signer.notes', {
      read: () => {
        const { accounts, watched } = tools?.accounts.view() ?? { accounts: [], watched: [] }
        return { accounts: [...accounts], watched: [...watched], takenAt: clock.now() }
      },
      watch: (changed) => tools?.accounts.events.on('changed', changed) ?? new Disposables(),
    }),
    topic('signer.callers', {
      read: ({ approve }) => ({ callers: approve ? [...(tools?.callers.callers() ?? [])] : [], takenAt: clock.now() }),
      watch: (changed) => tools?.callers.events.on('changed', changed) ?? new Disposables(),
    }),
    topic('signer.sends', {
      read: ({ control }) => ({ sends: control ? [...(tools?.send?.sends() ?? [])] : [], takenAt: clock.now() }),
      watch: (changed) => tools?.send?.events.on('changed', changed) ?? new Disposables(),
    }),
  ]
}

function vaultCalls(vault: () => RunningVault) {
  return {
    'signer.vaultInit': async ({ password }) => vault().init(givenPassword(password)),
    'signer.vaultUnlock': async ({ password }) => vault().unlock(givenPassword(password)),
    'signer.vaultLock': () => vault().lock(),
    'signer.vaultSetPassword': async ({ address, password, master }) => {
      const running = vault()
      if (password === null) return running.setPassword(address, null)
      if (master === null) throw new VaultError('SIGNER_MASTER_NEEDED', undefined)
      const given = { password: givenPassword(password), master: givenPassword(master) }
      await wiping(Object.values(given), () => running.setPassword(address, given))
    },
    'signer.attestRules': async ({ master, ...script }) => {
      const given = givenPassword(master)
      return wiping([given], () => vault().attest(script, given))
    },
    'signer.policies': async () => ({ policies: [...(await vault().policies.versioned())] }),
    'signer.putPolicy': async ({ policy, was, master }) => {
      const given = master === null ? null : givenPassword(master)
      return { policies: [...(await wiping([given], () => vault().policies.put(policy, was, given)))] }
    },
    'signer.removePolicy': async ({ id, was }) => ({ policies: [...(await vault().policies.remove(id, was))] }),
    'signer.policyMatches': async () => ({ matches: [...(await vault().policies.matches())] }),
    'signer.rulesText': async () => {
      const rules = await vault().rulesText()
      return { rules: rules === null ? null : { file: rules.file, sha256: rules.sha256, text: rules.source } }
    },
    'signer.dryRun': async ({ policies }) => ({ rows: (await vault().dryRun(policies)).slice(-DRY_RUN_ROWS) }),
  } satisfies Partial<ToolCalls>
}

async function vaultView(tools: SignerTools | null, mayDecide: boolean, takenAt: number): Promise<VaultView> {
  if (tools === null) return { state: 'off', stored: [], rules: null, takenAt }
  const view = await tools.vault.state()
  return mayDecide ? { ...view, takenAt } : { state: view.state, stored: [], rules: null, takenAt }
}

/** Whatever happens, what a page sent as bytes doesn't stay. */
async function wiping<T>(given: readonly (GivenPassword | null)[], run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } finally {
    for (const each of given) if (each?.kind === 'plain') wipe(each.password)
  }
}
