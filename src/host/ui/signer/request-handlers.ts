// The signer for the UI. Only connections that may decide get request contents; passwords pass through as bytes and are
// never stored.

import { readStatement } from '../../../base/approvals'
import { checksumAddress } from '../../../base/checksum-address'
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import type {
  AccountsView,
  DecisionView,
  RequestsView,
  RequestView,
  SwitchesView,
  TransactionRequestView,
} from '../../../contract/signer'
import { SignerError } from '../../../signer/errors'
import type { HardwareKeys } from '../../../signer/hardware/hardware-keys'
import type { Decision, SignerRequest, TransactionDetails } from '../../../signer/model/request'
import { decideMany } from '../../../signer/requests/decide-many'
import type { SignerService } from '../../../signer/signer-service'
import { HostError } from '../../errors'
import type { ApprovalSwitches } from '../../signer/approval-switches'
import { OWN_FORM } from '../../signer/send-form'
import { type CallsOf, confirmed, mayDecide, topic, type UiAccess, type UiHandlers } from '../ui-handlers'
import { RequestNews } from './request-news'
import { passwordBytes, type SignerTools, signerToolsCalls, signerToolsTopics } from './signer-tools-handlers'
import { RequestFacts } from './transaction-facts'

interface SignerHandlersDeps {
  /** Null when this run has no signer. */
  readonly signer: SignerService | null
  /** Vault, audit log and node; absent or null like the signer. */
  readonly tools?: SignerTools | null
  /** Absent or null: approvals only at the machine, and no account is kept unlocked. */
  readonly switches?: ApprovalSwitches | null
  /** Accounts with which JSON-RPC signs without asking; absent: none. */
  readonly always?: readonly string[]
  readonly clock: Clock
}

type Parts = ReturnType<typeof partsOf>

export function signerHandlers({
  signer,
  tools = null,
  switches = null,
  always = [],
  clock,
}: SignerHandlersDeps): UiHandlers<'signer'> {
  const parts = signer === null ? null : partsOf(signer, tools, clock)
  const present = (): Parts => {
    if (parts === null) throw new HostError('HOST_SERVICE_OFF', { service: 'signer' })
    return parts
  }
  return {
    calls: (access) => ({
      'signer.keyProcess': () => present().signer.keyReceiver(),
      'signer.decide': (decision) => {
        assertAllowed(decision, access, switches)
        return present().signer.decide(decisionOf(decision), deciderOf(access))
      },
      'signer.decideMany': async (asked) => {
        assertAllowed(asked, access, switches)
        const { decision, approval: sealed = null } = asked
        const password = asked.password === null ? null : passwordBytes(asked.password)
        const outcomes = await decideMany(present().signer, asked.requests, {
          decision,
          password,
          sealed,
          by: deciderOf(access),
        })
        return { outcomes: [...outcomes] }
      },
      ...carryingCalls(() => present().signer),
      'signer.rejectAll': () => ({ rejected: present().signer.rejectAll() }),
      'signer.facts': async ({ id, edits = null }, signal) => ({ facts: await present().facts.of(id, edits, signal) }),
      'signer.requestNewAccount': () => ({ id: present().signer.requestNewAccount(OWN_FORM).id }),
      ...switchCalls(access, signer, switches),
      ...signerToolsCalls({ signer, tools, clock }),
    }),
    topics: [
      topic('signer.requests', {
        read: (access) => requestsView(parts, access, clock.now()),
        watch: (changed) =>
          new Disposables(
            // The news come first: their state is read when the queue reports a change.
            parts?.news.watch(),
            parts?.facts.watch(),
            parts?.news.events.on('changed', changed),
            parts?.signer.events.on('requestsChanged', changed),
            parts === null ? null : switches?.events.on('changed', changed),
          ),
      }),
      topic('signer.accounts', {
        read: () => accountsView(signer, clock.now()),
        watch: (changed) => signer?.events.on('accountsChanged', changed) ?? new Disposables(),
      }),
      switchesTopic({ signer, switches, always, clock }),
      ...signerToolsTopics({ signer, tools, clock }),
    ],
  }
}

type SwitchesDeps = Required<Pick<SignerHandlersDeps, 'signer' | 'switches' | 'always' | 'clock'>>

function switchesTopic(deps: SwitchesDeps) {
  const { signer, switches } = deps
  return topic('signer.switches', {
    read: (access) => switchesView(deps, access),
    watch: (changed) =>
      new Disposables(signer?.events.on('keptChanged', changed), switches?.events.on('changed', changed)),
  })
}

/** @throws SignerError SIGNER_AIRGAP_GONE when this signer has no such accounts */
function devicesOf({ hardware }: SignerService): HardwareKeys {
  if (hardware === null) throw new SignerError('SIGNER_AIRGAP_GONE', undefined)
  return hardware
}

function carryingCalls(signer: () => SignerService) {
  return {
    'signer.unsigned': async ({ id }, signal) => {
      const file = await devicesOf(signer()).airgap.unsigned(id, signal)
      return { requestId: file.requestId, ur: file.ur, file: JSON.stringify(file, null, 2) }
    },
    'signer.giveSignature': async ({ id, text }) => {
      const { airgap } = devicesOf(signer())
      if (text === null) airgap.giveUp(id)
      else await airgap.give(id, text)
    },
  } satisfies Partial<CallsOf<'signer'>>
}

function partsOf(signer: SignerService, tools: SignerTools | null, clock: Clock) {
  const { node = null, auditLog = '' } = tools ?? {}
  const watched = (): readonly string[] => tools?.accounts.watched() ?? []
  return {
    signer,
    facts: new RequestFacts({ signer, node, auditLog, watched, clock }),
    news: new RequestNews(signer, clock),
  }
}

function switchCalls(access: UiAccess, signer: SignerService | null, switches: ApprovalSwitches | null) {
  const atMachine = (): ApprovalSwitches => {
    if (switches === null) throw new HostError('HOST_SERVICE_OFF', { service: 'signer' })
    if (access.remote !== undefined) throw new HostError('HOST_AT_MACHINE_ONLY', undefined)
    return switches
  }
  return {
    'signer.setRemote': async ({ mode, consent }) => {
      const at = atMachine()
      // a compromised page could otherwise let others decide what it may not decide itself
      if (mode !== 'off') await confirmed(access, { kind: 'remote', mode })
      await at.setRemote(mode, consent)
    },
    'signer.setKeepUnlocked': async ({ isOn }) => {
      const at = atMachine()
      if (isOn) await confirmed(access, { kind: 'keepUnlocked' })
      await at.setKeepUnlocked(isOn)
    },
    'signer.lockKept': () => {
      if (!access.control && !mayDecide(access)) throw new HostError('HOST_AT_MACHINE_ONLY', undefined)
      signer?.kept.lockAll()
    },
  } satisfies Partial<CallsOf<'signer'>>
}

/** A password must not travel over an unencrypted connection. */
function takesPasswords({ remote }: UiAccess): boolean {
  return remote === undefined || remote.isEncrypted
}

/** @throws HostError HOST_PASSWORD_UNENCRYPTED, HOST_KEEPING_OFF */
function assertAllowed(
  { password, approval = null }: Pick<DecisionView, 'password' | 'approval'>,
  access: UiAccess,
  switches: ApprovalSwitches | null,
): void {
  const sealed = approval?.kind === 'sealed' ? approval : null
  const isTyped = password !== null || sealed !== null
  if (isTyped && !takesPasswords(access)) throw new HostError('HOST_PASSWORD_UNENCRYPTED', undefined)
  const isKept = sealed !== null && readStatement(sealed.statement)?.keepMinutes !== 0
  if (isKept && switches?.keepUnlocked !== true) throw new HostError('HOST_KEEPING_OFF', undefined)
}

function deciderOf({ isCommand = false }: UiAccess): 'window' | 'command' {
  return isCommand ? 'command' : 'window'
}

function decisionOf({ password, edits = null, approval = null, ...decision }: DecisionView): Decision {
  return { ...decision, edits, approval, password: password === null ? null : passwordBytes(password) }
}

function requestsView(parts: Parts | null, access: UiAccess, takenAt: number): RequestsView {
  const requests = parts?.signer.requests() ?? []
  const mayKnow = mayDecide(access)
  // No window opens for these, so connections with control at the machine are told.
  const mayHear = mayKnow || (access.control && access.remote === undefined)
  return {
    waiting: mayKnow ? requests.map(requestView) : [],
    waitingCount: parts?.signer.queue.waitingCount ?? 0,
    quietUntil: parts?.signer.queue.quiet.until() ?? null,
    ended: mayKnow ? [...(parts?.news.ended ?? [])] : [],
    overflowed: parts?.news.overflowed ?? 0,
    refusals: mayHear ? [...(parts?.news.refusals ?? [])] : [],
    record: mayKnow ? (parts?.signer.auditHead() ?? null) : null,
    mayDecide: mayKnow,
    takesPasswords: takesPasswords(access),
    takenAt,
  }
}

function switchesView({ signer, switches, always, clock }: SwitchesDeps, access: UiAccess): SwitchesView {
  const mayKnow = access.control || mayDecide(access)
  const { mode, expiresAt } = switches?.remote() ?? { mode: 'off', expiresAt: null }
  return {
    remote: { mode, expiresAt, hasToken: switches?.hasToken ?? false },
    keepUnlocked: switches?.keepUnlocked ?? false,
    maySet: access.control && access.remote === undefined && switches !== null,
    unlocked: mayKnow
      ? (signer?.kept.list() ?? []).map((kept) => ({ ...kept, address: checksumAddress(kept.address) }))
      : [],
    always: mayKnow ? always.map(checksumAddress) : [],
    takenAt: clock.now(),
  }
}

function requestView(request: SignerRequest): RequestView {
  const { caller, transaction, data, accounts, findings } = request
  return {
    ...request,
    caller: { ...caller, process: caller.process ?? null },
    transaction: transaction === null ? null : transactionView(transaction),
    data: data === null ? null : { ...data, messages: [...data.messages] },
    accounts: accounts?.map(({ address }) => ({ address })) ?? null,
    findings: findings.map(({ severity, message }) => ({ severity, message })),
    notUnderstood: [...(request.notUnderstood ?? [])],
  }
}

function transactionView(transaction: TransactionDetails): TransactionRequestView {
  const { accessList, call } = transaction
  return {
    ...transaction,
    accessList: accessList?.map((entry) => ({ ...entry, storageKeys: [...entry.storageKeys] })) ?? null,
    call: call === null ? null : { ...call, arguments: [...call.arguments] },
  }
}

function accountsView(signer: SignerService | null, takenAt: number): AccountsView {
  if (signer === null) return { accounts: [], problems: [], keystore: '', takenAt }
  const { accounts, problems, keystore } = signer.accounts()
  return { accounts: [...accounts], problems: [...problems], keystore, takenAt }
}
