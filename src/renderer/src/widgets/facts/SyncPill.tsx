// The state of the node, in one word: "synced" only while the head is recent enough.

import { type SyncState, syncStateOf } from '../../../../contract/sync-state'
import { useText } from '../../i18n/text'
import { useApp, useMoment, useNode } from '../../state/environment'
import { selectIsShared } from '../../state/stores/program-store'
import { type Mark, StatePill, type Tone } from './StatePill'

const tones: Readonly<Record<SyncState, Tone>> = {
  stopped: 'neutral',
  failed: 'danger',
  starting: 'neutral',
  peers: 'warn',
  headers: 'info',
  blocks: 'info',
  unconfirmed: 'warn',
  stalled: 'warn',
  synced: 'ok',
}
const marks: Readonly<Record<SyncState, Mark>> = {
  stopped: 'waiting',
  failed: 'error',
  starting: 'waiting',
  peers: 'waiting',
  headers: 'building',
  blocks: 'building',
  unconfirmed: 'attention',
  stalled: 'attention',
  synced: 'ok',
}

/** Rendered again only when the state changes, not with each second. */
export function useSyncState(): SyncState {
  const state = useNode(({ head, sync, peers }) => ({ head, sync, peers }))
  const isShared = useApp(selectIsShared)
  return useMoment((now) => syncStateOf(state, now, isShared))
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

/** The words that checks rely on have none for a failure, for starting, or for peers on another chain. */
export const syncMarks: Readonly<Record<SyncState, string>> = {
  stopped: 'stopped',
  failed: 'stalled',
  starting: 'peers',
  peers: 'peers',
  headers: 'headers',
  blocks: 'blocks',
  unconfirmed: 'peers',
  stalled: 'stalled',
  synced: 'synced',
}
