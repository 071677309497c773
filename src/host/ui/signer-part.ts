// The signer as the user interface sees it. Contents of requests go only to connections that may decide; passwords pass
// through as bytes and are kept nowhere.
import { wipe } from '../../base/bytes'
import { Disposables } from '../../base/lifecycle'
import type { Clock } from '../../base/time'
import type { AccountsView, RequestsView, RequestView } from '../../contract/signer'
import type { Caller, SignerRequest } from '../../signer/requests/request'
import type { SignerService } from '../../signer/signer-service'
import { HostError } from '../errors'
import { topic, type UiPart } from './ui-part'

export interface SignerPartDeps {
  /** Null when this start has no signer. */
  readonly signer: SignerService | null
  readonly clock: Clock
}

export function signerPart({ signer, clock }: SignerPartDeps): UiPart<'signer'> {
  const present = (): SignerService => {
    if (signer === null) throw new HostError('HOST_SERVICE_OFF', { service: 'signer' })
    return signer
  }
  return {
    calls: () => ({
      'signer.decide': ({ password, ...decision }) =>
        present().decide({ ...decision, password: password === null ? null : passwordBytes(password) }),
      'signer.rejectAll': () => ({ rejected: present().rejectAll() }),
      'signer.requestNewAccount': () => ({ id: present().requestNewAccount(OWN_FORM).id }),
    }),
    topics: [
      topic('signer.requests', {
        read: ({ approve }) => requestsView(signer?.requests() ?? [], approve, clock.now()),
        watch: (changed) => signer?.events.on('requestsChanged', changed) ?? new Disposables(),
      }),
      topic('signer.accounts', {
        read: () => accountsView(signer, clock.now()),
        watch: (changed) => signer?.events.on('accountsChanged', changed) ?? new Disposables(),
      }),
    ],
  }
}

/** The caller of requests that the user makes in our own form. */
const OWN_FORM: Caller = { transport: 'app', remote: 'NA', local: 'NA', userAgent: 'Headframe', origin: '' }

function requestsView(requests: readonly SignerRequest[], mayDecide: boolean, takenAt: number): RequestsView {
  return {
    waiting: mayDecide ? requests.map(requestView) : [],
    waitingCount: requests.filter((request) => request.state === 'waiting').length,
    takenAt,
  }
}

function requestView(request: SignerRequest): RequestView {
  return {
    ...request,
    accounts: request.accounts?.map(({ address }) => ({ address })) ?? null,
    findings: request.findings.map(({ severity, message }) => ({ severity, message })),
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

/** Bytes of their own: a small Buffer lies in memory that Node shares among many, so that one is wiped. */
function passwordBytes(base64: string): Uint8Array {
  const shared = Buffer.from(base64, 'base64')
  try {
    return Uint8Array.from(shared)
  } finally {
    wipe(shared)
  }
}
