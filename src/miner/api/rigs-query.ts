// The query of GET /api/v1/rigs: which rigs to return, and how many at a time.
import type { RigLabels } from '../../config/values/rig-address'
import { type ApiFailure, badRequest } from './http-errors'

interface Labelled {
  readonly labels?: RigLabels
}

interface Choosable extends Labelled {
  readonly name: string
  readonly online: boolean
}

/** Default limit, so that the answer for many rigs stays small. */
const MAX_RIGS = 1_000
const SINGLE = ['offset', 'limit', 'online', 'name'] as const
const NAMES: readonly string[] = [...SINGLE, 'group', 'label']
const ACCEPTED = `offset, limit, group, label=NAME:VALUE, online and name`

/** A parsed query. */
export interface RigsQuery {
  readonly offset: number
  readonly limit: number
  /** any of them; empty: all groups */
  readonly groups: readonly string[]
  /** all of them */
  readonly labels: RigLabels
  readonly online: boolean | null
  /** part of the name, case-insensitive; empty: any */
  readonly name: string
}

const EVERYTHING: RigsQuery = { offset: 0, limit: MAX_RIGS, groups: [], labels: {}, online: null, name: '' }

/** @param query the part after the question mark, as sent; null for none */
export function parseRigsQuery(query: string | null): RigsQuery | null | ApiFailure {
  if (query === null) return null
  const given = new URLSearchParams(query)
  const unknown = [...given.keys()].find((name) => !NAMES.includes(name))
  if (unknown !== undefined) return badRequest(`${unknown.slice(0, 40)} is not one of ${ACCEPTED}`)
  const twice = SINGLE.find((name) => given.getAll(name).length > 1)
  if (twice !== undefined) return badRequest(`${twice} is given more than once`)
  const offset = countOf(given.get('offset'), 0)
  const limit = countOf(given.get('limit'), MAX_RIGS)
  if (offset === null) return badRequest('offset must be an integer from 0')
  if (limit === null || limit < 1 || limit > MAX_RIGS)
    return badRequest(`limit must be an integer from 1 to ${MAX_RIGS}`)
  const online = given.get('online')
  if (online !== null && online !== 'true' && online !== 'false') return badRequest('online must be true or false')
  const labels = given.getAll('label').map((text) => /^([^:]+):(.+)$/.exec(text)?.slice(1) ?? [])
  if (labels.some((label) => label.length === 0)) return badRequest('label must be NAME:VALUE')
  if (new Set(labels.map(([name]) => name)).size < labels.length)
    return badRequest('a label has one value: give each NAME once')
  return {
    offset,
    limit,
    groups: given.getAll('group'),
    labels: Object.fromEntries(labels),
    online: online === null ? null : online === 'true',
    name: given.get('name')?.toLowerCase() ?? '',
  }
}

/** The selected rigs and their number; without a query all of them, with the number only when some were left out. */
export function pageOf<R extends Choosable>(
  rigs: readonly R[],
  query: RigsQuery | null,
): { readonly rigs: readonly R[]; readonly total?: number } {
  const { offset, limit, ...filter } = query ?? EVERYTHING
  const chosen = query === null ? rigs : rigs.filter((rig) => fits(rig, filter))
  const page = chosen.slice(offset, offset + limit)
  return query === null && page.length === rigs.length ? { rigs } : { rigs: page, total: chosen.length }
}

/** Whether it leaves out rigs by what they are, not by their place alone. */
export function choosesRigs({ groups, labels, online, name }: RigsQuery): boolean {
  return groups.length > 0 || Object.keys(labels).length > 0 || online !== null || name !== ''
}

function fits(rig: Choosable, wanted: Omit<RigsQuery, 'offset' | 'limit'>): boolean {
  if (wanted.online !== null && rig.online !== wanted.online) return false
  if (wanted.groups.length > 0 && !isInGroup(rig, wanted.groups)) return false
  return hasLabels(rig, wanted.labels) && rig.name.toLowerCase().includes(wanted.name)
}

/** True when its group is one of them. */
export function isInGroup({ labels = {} }: Labelled, groups: readonly string[]): boolean {
  const group = Object.hasOwn(labels, 'group') ? labels.group : undefined
  return group !== undefined && groups.includes(group)
}

/** True when it has all of them. */
export function hasLabels({ labels = {} }: Labelled, wanted: RigLabels): boolean {
  return Object.entries(wanted).every(([label, value]) => Object.hasOwn(labels, label) && labels[label] === value)
}

function countOf(text: string | null, absent: number): number | null {
  if (text === null) return absent
  return /^\d{1,9}$/.test(text) ? Number(text) : null
}
