// POST /api/v1/control: from content type and body to a command, or the exact text of the 400.
import { isJsonObject } from '../../base/json-text'
import { type ApiFailure, badRequest } from './http-errors'

const ACTIONS = ['pause', 'resume', 'restart'] as const

type ControlCommand =
  | { readonly action: 'pause' | 'resume' /** null: all */; readonly device: number | null }
  | { readonly action: 'restart' }

interface ControlRequest {
  /** the header's value, if it was sent */
  readonly contentType: string | undefined
  readonly body: Uint8Array
  readonly deviceCount: number
}

/** The command, or the 400 with its exact text. */
export function parseControl({ contentType, body, deviceCount }: ControlRequest): ControlCommand | ApiFailure {
  const parsed = jsonObjectOf(contentType, body, ['action', 'gpu'])
  if ('error' in parsed) return parsed
  const request = parsed.value
  const action = ACTIONS.find((known) => known === request.action)
  if (action === undefined) return badRequest('action must be pause, resume or restart')
  const { gpu } = request
  const wrongType = gpu !== undefined && !Number.isInteger(gpu)
  const unknown = typeof gpu === 'number' && (gpu < 0 || gpu >= deviceCount)
  if (wrongType || (unknown && action !== 'restart')) {
    return badRequest(`gpu must be an integer from 0 to ${deviceCount - 1}`)
  }
  if (action === 'restart') return { action }
  return { action, device: typeof gpu === 'number' ? gpu : null }
}

/** Devices are indexes; null: all. */
export interface Controllable {
  pause(device: number | null): void
  resume(device: number | null): void
  restart(): Promise<void>
}

/** Resolves when the state has changed; for a restart, when it has begun. */
export async function runControl(command: ControlCommand, miner: Controllable): Promise<void> {
  if (command.action === 'restart') return miner.restart()
  miner[command.action](command.device)
}

/** The members of a JSON body: a misspelled one is refused. @param contentType the header's value, if it was sent */
export function jsonObjectOf(
  contentType: string | undefined,
  body: Uint8Array,
  accepted: readonly string[],
): { readonly value: Readonly<Record<string, unknown>> } | ApiFailure {
  if (mediaType(contentType) !== 'application/json') return badRequest('Content-Type must be application/json')
  const value = parseObject(body)
  if (value === null) return badRequest('body must be one JSON object')
  const unknown = Object.keys(value).find((name) => !accepted.includes(name))
  return unknown === undefined ? { value } : badRequest(`${unknown.slice(0, 40)} is not one of ${accepted.join(', ')}`)
}

function mediaType(header: string | undefined): string | undefined {
  return header?.split(';')[0]?.trim().toLowerCase()
}

function parseObject(body: Uint8Array): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
    return isJsonObject(value) ? value : null
  } catch {
    return null // neither UTF-8 nor JSON: one answer for both
  }
}
