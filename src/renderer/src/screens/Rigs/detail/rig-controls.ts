// Pause and resume of a rig and its GPUs: believed only when a reading after the rig's answer confirms it.
import { messageOf } from '../../../../../base/errors'
import type { Clock } from '../../../../../base/time'
import type { RigFiguresView, RigView } from '../../../../../contract/rigs'
import type { Backend } from '../../../data/backend'
import { CONFIRM_LIMIT_MS, createAttempts, createControlStore, type PauseTarget } from '../../../state/controls'

export interface Refusal {
  /** HTTP status of the rig's answer; null without an answer. */
  readonly status: number | null
  /** In the words of the rig or the system. */
  readonly error: string
}

type Reading = Pick<RigView, 'figures' | 'reading'>

export type RigControls = ReturnType<typeof createRigControls>

export function createRigControls(
  rig: string,
  { backend, clock }: { readonly backend: Pick<Backend, 'call'>; readonly clock: Clock },
) {
  const store = createControlStore()
  const { begin, observe, dispose } = createAttempts<Reading>(store, clock, (error) => ({
    cause: 'other',
    reason: error instanceof RigRefusal ? error.refusal.error : messageOf(error),
    status: error instanceof RigRefusal ? error.refusal.status : null,
  }))
  const press = (target: PauseTarget, wanted: boolean): Promise<void> => {
    const call = async (): Promise<(view: Reading) => boolean> => {
      const action = wanted ? 'pause' : 'resume'
      const gpu = target === 'all' ? null : target
      const { results } = await backend.call('miner.rigCommand', { rigs: [rig], action, gpu })
      const [result] = results
      if (result === undefined || result.error !== '') throw new RigRefusal(result ?? { status: null, error: '' })
      return ({ figures, reading }) => reading > result.reading && figures !== null && shows(figures, target, wanted)
    }
    return begin(String(target), { wanted, forSeconds: null, limitMs: CONFIRM_LIMIT_MS, call })
  }
  return { store, press, observe, dispose }
}

class RigRefusal extends Error {
  constructor(readonly refusal: Refusal) {
    super(refusal.error)
  }
}

function shows({ gpus }: RigFiguresView, target: PauseTarget, wanted: boolean): boolean {
  const meant = gpus.filter((_, index) => target === 'all' || index === target)
  return meant.length > 0 && meant.every((gpu) => gpu.paused === wanted)
}
