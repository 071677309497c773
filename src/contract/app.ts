// What the UI knows about the program itself: version, network, what this connection may do, and which services run.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { activitySchema, logCalls } from './logs'
import { machineEvents } from './machine'
import { optionCalls } from './options'
import { dataFolderCalls } from './program/data-folder'
import { updateCalls } from './program/updates'
import { countSchema, nothing, timeSchema } from './shapes'
import { viewLinkCalls } from './view-links'

export const networkNameSchema = z.enum(['main', 'test', 'practice', 'custom'])

export const serviceStateSchema = z.object({
  /** `node`, `miner`, `signer`, `control-port`, ... */
  name: z.string(),
  state: z.enum(['off', 'starting', 'running', 'failed']),
  /** Why it failed; empty otherwise. */
  reason: z.string(),
})

export const appInfoSchema = z.object({
  version: z.string(),
  network: networkNameSchema,
  chainId: countSchema,
  networkId: countSchema,
  headless: z.boolean(),
  /** Version of the Electron that runs this, where it gets no security fixes any more; missing = another runtime. */
  oldElectron: z.string().optional(),
  startedAt: timeSchema,
  dataDir: z.string(),
  /** The first-run wizard was neither finished nor dismissed. */
  welcome: z.boolean(),
  /** What this very connection may do. */
  access: z.object({
    control: z.boolean(),
    approve: z.boolean(),
    /** It is at the machine itself, so it may read what the signer recorded; missing = as `approve` says. */
    here: z.boolean().optional(),
  }),
  /** This connection came by a link that only looks; null or missing = it did not. */
  link: z.object({ hides: z.boolean(), expiresAt: timeSchema }).nullable().optional(),
  /** True when a token would give this connection more. */
  canSignIn: z.boolean(),
  /** The proof-of-work engine; `none` where nothing is mined. `loadError` says why the native one is missing. */
  engine: z.object({
    kind: z.enum(['native', 'typescript', 'none']),
    simd: z.string(),
    loadError: z.string().nullable(),
  }),
  /** `host:port` of what listens; null when off. */
  endpoints: z.object({ api: z.string().nullable(), rpc: z.string().nullable(), signer: z.string().nullable() }),
})

/** Where this program lives, as far as a choice may depend on it. */
export const placeSchema = z.object({
  /** On the data directory's disk; null where the system does not tell. */
  freeBytes: countSchema.nullable(),
  /** IPv4 addresses under which other machines of the home network may reach this one. */
  addresses: z.array(z.string()),
  /** The data directory lies on another computer; null where the system does not tell. */
  isNetworkDrive: z.boolean().nullable(),
})

export const appStatusSchema = z.object({
  services: z.array(serviceStateSchema),
  /** Flags, without dashes, of options that were saved and wait for a restart; missing = none. */
  restartFor: z.array(z.string()).optional(),
  takenAt: timeSchema,
})

export const appCalls = {
  ...optionCalls,
  ...logCalls,
  ...viewLinkCalls,
  ...dataFolderCalls,
  ...updateCalls,
  'app.info': call(nothing, appInfoSchema),
  'app.place': call(nothing, placeSchema),
}

export const appEvents = {
  ...machineEvents,
  'app.status': event(appStatusSchema, 2),
  /** Newest last, at most 50: what an operator wants to read on a quiet day. */
  'app.activity': event(z.object({ entries: z.array(activitySchema) }), 2),
}

export type NetworkName = z.infer<typeof networkNameSchema>
export type ServiceStateView = z.infer<typeof serviceStateSchema>
export type AppInfoView = z.infer<typeof appInfoSchema>
export type PlaceView = z.infer<typeof placeSchema>
export type AppStatusView = z.infer<typeof appStatusSchema>
export type { ActivityView } from './logs'
