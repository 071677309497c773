// How the node stands, in one word: "at tip" only while the head is young enough to be one.
import { useText } from '../i18n/text'
import { useNode, useNow } from '../state/environment'
import { type SyncState, syncStateOf } from '../state/node-store'
import { type Mark, StatePill, type Tone } from './StatePill'

const tones: Readonly<Record<SyncState, Tone>> = {
  stopped: 'neutral',
  failed: 'danger',
  peers: 'neutral',
  stalled: 'warn',
  tip: 'ok',
}
const marks: Readonly<Record<SyncState, Mark>> = {
  stopped: 'waiting',
  failed: 'error',
  peers: 'waiting',
  stalled: 'attention',
  tip: 'ok',
}

function useSyncState(): SyncState {
  const view = useNode((state) => state.head)
  return syncStateOf(view, useNow())
}

export function SyncPill() {
  const t = useText()
  const sync = useSyncState()
  return (
    <StatePill tone={tones[sync]} mark={marks[sync]}>
      {t(`ui.sync.${sync}`)}
    </StatePill>
  )
}

/** The word alone, for the header. */
export function SyncText() {
  const t = useText()
  const sync = useSyncState()
  const isKnown = useNode((state) => state.head !== null)
  return (
    <span data-testid="sync-state" data-state={sync === 'failed' ? 'stalled' : sync}>
      {t(isKnown ? `ui.sync.${sync}` : 'ui.nav.node')}
    </span>
  )
}
