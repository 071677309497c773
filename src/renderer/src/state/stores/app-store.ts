// What is known of the program itself, and whether there is contact with it.
import { createStore } from 'zustand/vanilla'
import type { ActivityView, AppInfoView, AppStatusView } from '../../../../contract/app'
import type { DiskView } from '../../../../contract/machine'
import { isSharedNetwork } from '../../../../contract/sync-state'
import type { ConnectionState } from '../../data/backend'

export type { ConnectionState }

export interface AppState {
  readonly connection: ConnectionState
  readonly info: AppInfoView | null
  readonly status: AppStatusView | null
  readonly activity: readonly ActivityView[] | null
  readonly disk: DiskView | null
  /** Events whose latest value this page couldn't read. */
  readonly unread: readonly string[]
}

export const createAppStore = (connection: ConnectionState) =>
  createStore<AppState>(() => ({ connection, info: null, status: null, activity: null, disk: null, unread: [] }))

export const selectCanControl = (state: AppState): boolean => state.info?.access.control ?? false
export const selectCanApprove = (state: AppState): boolean => state.info?.access.approve ?? false
/** Whether this page is at the machine itself, so that it may read the signer's audit log. */
export const selectIsHere = ({ info }: AppState): boolean => info?.access.here ?? info?.access.approve ?? false
export const selectIsOpen = (state: AppState): boolean => state.connection.kind === 'open'
/** Whether others mine on this network, too: a node without peers is cut off there. */
export const selectIsShared = ({ info }: AppState): boolean => isSharedNetwork(info?.network)
/** UTC ms since contact was lost; null while there is contact. */
export const selectLostSince = (state: AppState): number | null =>
  state.connection.kind === 'lost' ? state.connection.since : null
