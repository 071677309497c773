// The signer's queue for a shell: ids, changes, and rejecting.
import { Disposables } from '../../base/lifecycle'
import type { SignerService } from '../../signer/signer-service'
import type { ApprovalQueue } from '../signer/approval-queue'

/** Without a signer nothing ever waits. */
export function signerApprovals(signer: SignerService | null): ApprovalQueue {
  if (signer === null) {
    const nothing = { waiting: () => [], own: () => [], isWorking: () => false, onChanged: () => new Disposables() }
    return { ...nothing, reject: async () => undefined, setAway: () => undefined }
  }
  const waiting = () => signer.requests().filter((request) => request.state === 'waiting')
  return {
    waiting: () => waiting().map((request) => request.id),
    isWorking: () => signer.requests().some(({ state }) => state !== 'waiting'),
    own: () =>
      waiting()
        .filter(({ caller }) => caller.transport === 'app')
        .map(({ id }) => id),
    onChanged: (listener) => signer.events.on('requestsChanged', listener),
    reject: async (id) => {
      const request = waiting().find((candidate) => candidate.id === id)
      if (request === undefined) return
      const { nonce, contentHash } = request
      await signer.decide({ id, nonce, contentHash, decision: 'reject', password: null, accounts: null })
    },
    setAway: signer.setAway,
  }
}
