// The recovering thread's side: works through a job from its beginning, leaving out what the executing thread has taken.

import type { RecoveryJob } from '../model/recovery-job'
import { recoverAddress } from '../model/sender'

export function runRecovery(job: RecoveryJob): void {
  for (let index = 0; index < job.size; index++) {
    const digest = job.take(index)
    const address = digest === null ? null : recoverAddress(digest)
    if (address !== null) job.give(index, address)
  }
}
