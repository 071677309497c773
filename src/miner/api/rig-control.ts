// POST /api/v1/rigs/control: one command for selected rigs, from content type and body, or the exact text of the 400.
import { z } from 'zod'
import { Secret } from '../../base/secret'
import { jsonObjectOf } from './control'
import { type ApiFailure, badRequest } from './http-errors'

const MAX_NAMES = 10_000
const MAX_POOL = 1_024
const ACTIONS = ['pause', 'resume', 'restart', 'set-pool'] as const
const names = z.array(z.string().min(1).max(64)).max(MAX_NAMES)
const MEMBERS = {
  rigs: { schema: names, expected: 'a list of names' },
  groups: { schema: names, expected: 'a list of names' },
  labels: { schema: z.record(z.string().max(64), z.string().max(64)), expected: 'an object of texts' },
  all: { schema: z.boolean(), expected: 'true or false' },
} as const
const ACCEPTED = ['action', 'gpu', 'pool', ...Object.keys(MEMBERS)]

/** What the selected rigs are told to do. */
export type RigAction =
  | { readonly action: 'pause' | 'resume' | 'restart' /** null: the whole rig */; readonly gpu: number | null }
  /** Added to the rig's list if missing, and mined for from then on. */
  | { readonly action: 'set-pool'; readonly pool: Secret }

/** @param contentType the header's value, if it was sent */
export function parseRigControl(contentType: string | undefined, body: Uint8Array) {
  const request = jsonObjectOf(contentType, body, ACCEPTED)
  if ('error' in request) return request
  const members = request.value
  const command = actionOf(members)
  if ('error' in command) return command
  for (const [name, { schema, expected }] of Object.entries(MEMBERS)) {
    const value = members[name]
    if (value !== undefined && !schema.safeParse(value).success) return badRequest(`${name} must be ${expected}`)
  }
  const read = <T>(schema: z.ZodType<T>, name: string, absent: T): T => schema.safeParse(members[name]).data ?? absent
  const selection = {
    rigs: read(MEMBERS.rigs.schema, 'rigs', []),
    groups: read(MEMBERS.groups.schema, 'groups', []),
    labels: read(MEMBERS.labels.schema, 'labels', {}),
    all: read(MEMBERS.all.schema, 'all', false),
  }
  return { command, selection }
}

function actionOf(members: Readonly<Record<string, unknown>>): RigAction | ApiFailure {
  const action = ACTIONS.find((known) => known === members.action)
  if (action === undefined) return badRequest('action must be pause, resume, restart or set-pool')
  const { pool, gpu } = members
  if (gpu !== undefined && action !== 'pause' && action !== 'resume')
    return badRequest(`gpu is for pause and resume, not for ${action}`)
  if (action === 'set-pool') {
    if (typeof pool !== 'string' || pool === '' || pool.length > MAX_POOL)
      return badRequest(`pool must be the address of a pool, of at most ${MAX_POOL} characters`)
    return { action, pool: new Secret(pool) }
  }
  if (pool !== undefined) return badRequest(`pool is for set-pool, not for ${action}`)
  if (gpu !== undefined && (typeof gpu !== 'number' || !Number.isSafeInteger(gpu) || gpu < 0))
    return badRequest('gpu must be an integer from 0')
  return { action, gpu: gpu ?? null }
}
