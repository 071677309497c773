// Waits for what the frame of the page is drawn from: drawn earlier, it would move down when that arrives.
import type { StoreApi } from 'zustand'
import type { Clock } from '../../../../base/time'
import type { AppState, MinerState, NodeState } from '../stores/program-store'

/** The page is drawn after this long, whatever is known: a slow line still gets its frame with placeholders. */
export const FIRST_ANSWER_MS = 3_000
/** The same after the program described itself: some services send nothing, such as those of a monitor. */
export const FIRST_VALUES_MS = 300

interface FirstStores {
  readonly app: StoreApi<AppState>
  readonly miner: StoreApi<MinerState>
  readonly node: StoreApi<NodeState>
}

/** Resolves once the page can be drawn in one piece, or when there is no use in waiting longer. */
export function firstAnswers({ app, miner, node }: FirstStores, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const stops: (() => void)[] = []
    const known = { info: false }
    const end = (): void => {
      for (const stop of stops) stop()
      resolve()
    }
    const wait = (ms: number): void => {
      const timer = clock.setTimeout(end, ms)
      stops.push(() => timer.dispose())
    }
    const look = (): void => {
      const { connection, info, status } = app.getState()
      const { status: mined, devices } = miner.getState()
      const isOver = connection.kind === 'lost' || connection.kind === 'signedOut'
      const hasValues = status !== null && mined !== null && devices !== null && node.getState().head !== null
      if (isOver || (info !== null && hasValues)) {
        end()
        return
      }
      if (info === null || known.info) return
      known.info = true
      wait(FIRST_VALUES_MS)
    }
    stops.push(app.subscribe(look), miner.subscribe(look), node.subscribe(look))
    wait(FIRST_ANSWER_MS)
    look()
  })
}
