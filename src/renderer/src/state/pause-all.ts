// Pauses everything at once: asks first if that includes more than this computer, or if it came from an easily hit key.
import { createStore } from 'zustand/vanilla'
import { messageOf } from '../../../base/errors'
import type { Backend } from '../data/backend'
import type { Controls } from './controls'
import { type createMinerStore, selectAllPaused } from './stores/miner-store'
import type { createOperationStore, OperationState } from './stores/operation-store'

interface RigFailure {
  readonly rig: string
  readonly error: string
}

interface PauseAllState {
  /** Null while there is no question. */
  readonly question: { readonly wanted: boolean; readonly rigs: readonly string[] } | null
  /** Errors of other rigs for the last command. */
  readonly failures: readonly RigFailure[]
}

interface PauseAllDeps {
  readonly backend: Pick<Backend, 'call'>
  readonly controls: Controls
  readonly miner: ReturnType<typeof createMinerStore>
  readonly operation: ReturnType<typeof createOperationStore>
}

/** Other rigs that are online and allow control from here. */
function controllableRigs({ rigs }: OperationState): readonly string[] {
  return (rigs?.rigs ?? [])
    .filter(({ local, online, hasToken, figures }) => !local && online && hasToken && figures?.control === true)
    .map(({ name }) => name)
}

export function createPauseAll({ backend, controls, miner, operation }: PauseAllDeps) {
  const store = createStore<PauseAllState>(() => ({ question: null, failures: [] }))
  const asked = { rigs: false, key: false }
  const last = { rigs: [] as readonly string[] }

  const tellRigs = async (rigs: readonly string[], wanted: boolean): Promise<void> => {
    if (rigs.length === 0) return
    try {
      const action = wanted ? 'pause' : 'resume'
      const { results } = await backend.call('miner.rigCommand', { rigs: [...rigs], action, gpu: null })
      store.setState({ failures: results.filter(({ error }) => error !== '') })
    } catch (error: unknown) {
      const reason = messageOf(error)
      store.setState({ failures: rigs.map((rig) => ({ rig, error: reason })) })
    }
  }

  const act = (wanted: boolean, rigs: readonly string[]): void => {
    last.rigs = wanted ? rigs : []
    void controls.press('all', wanted)
    void tellRigs(rigs, wanted)
  }

  return {
    store,
    /** Asks once per page if other rigs could be included. */
    press(wanted: boolean): void {
      const rigs = controllableRigs(operation.getState())
      const isClear = rigs.length === 0 || asked.rigs
      asked.rigs ||= rigs.length > 0
      if (isClear) act(wanted, [])
      else store.setState({ question: { wanted, rigs } })
    },
    /** By key: toggles between pause and resume. Always asks the first time. */
    pressByKey(): void {
      const wanted = !selectAllPaused(miner.getState())
      if ((miner.getState().devices?.devices.length ?? 0) === 0) return
      const isAsked = asked.key
      asked.key = true
      if (isAsked) act(wanted, [])
      else store.setState({ question: { wanted, rigs: controllableRigs(operation.getState()) } })
    },
    /** @param where null = canceled */
    answer(where: 'here' | 'everywhere' | null): void {
      const { question } = store.getState()
      store.setState({ question: null })
      if (question !== null && where !== null) act(question.wanted, where === 'here' ? [] : question.rigs)
    },
    /** Undoes the last pause on all rigs that it reached. */
    undo(): void {
      act(false, last.rigs)
    },
    forgetFailures: () => store.setState({ failures: [] }),
  }
}
