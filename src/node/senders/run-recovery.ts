// The recovering thread's side: works through a job from its beginning, leaving out what the executing thread has taken.
import { secp256k1 } from '../../native/secp256k1'
import type { RecoveryJob } from '../model/recovery-job'

/** Together they cost a quarter less. More would gain little, and the executing thread would recover more of them itself. */
const AT_ONCE = 16

export function runRecovery(job: RecoveryJob): void {
  for (let from = 0; from < job.size; ) {
    const { first, count, items } = job.takeSome(from, AT_ONCE)
    for (const [index, address] of secp256k1().recoverAddresses(items).entries())
      if (address !== null) job.give(first + index, address)
    from = first + count
  }
}
