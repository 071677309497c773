// What the UI knows about the program itself: version, network, this connection's access, and which services run.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { activitySchema, logCalls } from './logs'
import { machineEvents } from './machine'
import { optionCalls } from './options'
import { dataFolderCalls } from './program/data-folder'
import { updateCalls } from './program/updates'
import { countSchema, done, nothing, timeSchema } from './shapes'
import { viewLinkCalls } from './view-links'

// Whether a user interface is visible: events that change each second are sent less often to hidden ones.

/** Events sent only every few seconds while the page is hidden, each with its latest value. */
export const SELDOM_WHEN_HIDDEN = ['miner.devices', 'miner.status'] as const
/** Period while hidden, ms. */
export const HIDDEN_PERIOD_MS = 5000

export const sightCalls = {
  /** Sent whenever visibility changes; a connection starts as visible. */
  'ui.sight': call(z.object({ inSight: z.boolean() }), done),
}

const networkNameSchema = z.enum(['main', 'test', 'practice', 'custom'])

const serviceStateSchema = z.object({
  /** `node`, `miner`, `signer`, `control-port`, ... */
  name: z.string(),
  state: z.enum(['off', 'starting', 'running', 'failed']),
  /** Why it failed; empty otherwise. */
  reason: z.string(),
})

const appInfoSchema = z.object({
  version: z.string(),
  network: networkNameSchema,
  chainId: countSchema,
  networkId: countSchema,
  headless: z.boolean(),
  /** Electron version in use when it no longer gets security fixes; missing = another runtime. */
  oldElectron: z.string().optional(),
  startedAt: timeSchema,
  dataDir: z.string(),
  /** The first-run wizard was neither finished nor dismissed. */
  welcome: z.boolean(),
  /** Access of this very connection. */
  access: z.object({
    control: z.boolean(),
    approve: z.boolean(),
    /** It is at the machine itself, so it may read the signer's records; missing = same as `approve`. */
    here: z.boolean().optional(),
  }),
  /** This connection uses a read-only link; null or missing = it doesn't. */
  link: z.object({ hides: z.boolean(), expiresAt: timeSchema }).nullable().optional(),
  /** True when signing in with a token would give this connection more access. */
  canSignIn: z.boolean(),
  /** The proof-of-work engine; `none` where nothing mines. `loadError` says why the native one is missing. */
  engine: z.object({
    kind: z.enum(['native', 'typescript', 'none']),
    simd: z.string(),
    loadError: z.string().nullable(),
  }),
  /** `host:port` of the listeners; null when off. */
  endpoints: z.object({ api: z.string().nullable(), rpc: z.string().nullable(), signer: z.string().nullable() }),
})

/** Where this program runs, as far as choices depend on it. */
const placeSchema = z.object({
  /** On the data directory's disk; null when the system doesn't report it. */
  freeBytes: countSchema.nullable(),
  /** IPv4 addresses at which other machines on the local network may reach this one. */
  addresses: z.array(z.string()),
  /** The data directory is on a network file system; null when the system doesn't report it. */
  isNetworkDrive: z.boolean().nullable(),
})

const appStatusSchema = z.object({
  services: z.array(serviceStateSchema),
  /** Flags, without dashes, of saved options that wait for a restart; missing = none. */
  restartFor: z.array(z.string()).optional(),
  /** Why the key worker could open files and connections; missing = it can't, or none has started. */
  unconfined: z.string().max(1_000).optional(),
  takenAt: timeSchema,
})

export const appCalls = {
  ...optionCalls,
  ...logCalls,
  ...viewLinkCalls,
  ...dataFolderCalls,
  ...updateCalls,
  'app.info': call(nothing, appInfoSchema),
  /** The program's time: a page's own clock may be wrong. */
  'app.now': call(nothing, z.object({ now: timeSchema })),
  'app.place': call(nothing, placeSchema),
  /** Ends the whole program in order, as a signal does: miner, RPC, network, database. */
  'app.stop': call(nothing, z.object({ pid: countSchema }), 'here'),
}

export const appEvents = {
  ...machineEvents,
  'app.status': event(appStatusSchema, 2),
  /** Newest last, at most 50: the events worth an operator's attention. */
  'app.activity': event(z.object({ entries: z.array(activitySchema) }), 2),
}

export type ServiceStateView = z.infer<typeof serviceStateSchema>
export type AppInfoView = z.infer<typeof appInfoSchema>
export type PlaceView = z.infer<typeof placeSchema>
export type AppStatusView = z.infer<typeof appStatusSchema>
export type { ActivityView } from './logs'

/**
 * What a UI page may load, in the window and in the browser: only the program's own files. The pages carry the same
 * policy in a <meta>, except `frame-ancestors`, which only works in a header.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')
