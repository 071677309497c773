// The signer as the user interface sees it. Contents of requests go only to connections that may decide; passwords pass
// through as bytes and are kept nowhere.
import { Disposables } from '../../base/lifecycle'
import type { Clock } from '../../base/time'
import type { AccountsView, RequestsView, RequestView, TransactionRequestView } from '../../contract/signer'
import type { SignerRequest, TransactionDetails } from '../../signer/requests/request'
import type { SignerService } from '../../signer/signer-service'
import { HostError } from '../errors'
import { OWN_FORM } from '../send-desk'
import { passwordBytes } from './password-bytes'
import { type SignerDesk, signerDeskCalls, signerDeskTopics } from './signer-desk-part'
import { topic, type UiPart } from './ui-part'

export interface SignerPartDeps {
  /** Null when this start has no signer. */
  readonly signer: SignerService | null
  /** Vault, record and node; absent or null like the signer. */
  readonly desk?: SignerDesk | null
  readonly clock: Clock
}

export function signerPart({ signer, desk = null, clock }: SignerPartDeps): UiPart<'signer'> {
  const present = (): SignerService => {
    if (signer === null) throw new HostError('HOST_SERVICE_OFF', { service: 'signer' })
    return signer
  }
  return {
    calls: () => ({
      'signer.decide': ({ password, edits = null, ...decision }) =>
        present().decide({ ...decision, edits, password: password === null ? null : passwordBytes(password) }),
      'signer.rejectAll': () => ({ rejected: present().rejectAll() }),
      'signer.requestNewAccount': () => ({ id: present().requestNewAccount(OWN_FORM).id }),
      ...signerDeskCalls({ signer, desk, clock }),
    }),
    topics: [
      topic('signer.requests', {
        read: ({ approve }) => requestsView(signer, approve, clock.now()),
        watch: (changed) => signer?.events.on('requestsChanged', changed) ?? new Disposables(),
      }),
      topic('signer.accounts', {
        read: () => accountsView(signer, clock.now()),
        watch: (changed) => signer?.events.on('accountsChanged', changed) ?? new Disposables(),
      }),
      ...signerDeskTopics({ signer, desk, clock }),
    ],
  }
}

function requestsView(signer: SignerService | null, mayDecide: boolean, takenAt: number): RequestsView {
  const requests = signer?.requests() ?? []
  return {
    waiting: mayDecide ? requests.map(requestView) : [],
    waitingCount: requests.filter((request) => request.state === 'waiting').length,
    quietUntil: signer?.quiet.until() ?? null,
    takenAt,
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
  return {
    accounts: accounts.map(({ address, file, files }) => ({ address, file, files })),
    problems: problems.map(({ file, reason }) => ({ file, reason })),
    keystore,
    takenAt,
  }
}
