// POST /api/v1/rigs/control: one command for selected rigs, forwarded to each with its own token.
import { parseFleetControl } from '../../miner/api/fleet-control'
import { isFailure } from '../../miner/api/http-errors'
import type { RigCommand, RigResult } from '../../miner/monitor/rig-monitor'
import { isEmptySelection, type RigSelection } from '../../miner/monitor/rig-selection'
import { rigCommandOf } from '../miner/rig-command'
import { type Answer, failure, json } from './answer'

/** The monitored rigs for commands. */
export interface CommandedRigs {
  select(selection: RigSelection): readonly string[]
  command(names: readonly string[], command: RigCommand): Promise<readonly RigResult[]>
}

const NO_CHOICE = 'name what is meant by rigs, groups or labels, or say all: true'

/**
 * Answers when every selected rig has answered or timed out: `{"results": [{"rig", "done", "error"}]}`.
 * @param contentType the header's value, if it was sent
 */
export async function runFleetControl(
  rigs: CommandedRigs,
  contentType: string | undefined,
  body: Uint8Array,
): Promise<Answer> {
  const parsed = parseFleetControl(contentType, body)
  if (isFailure(parsed)) return failure(parsed.status, parsed.error)
  const { selection } = parsed
  if (isEmptySelection(selection)) return failure(400, NO_CHOICE)
  const command = rigCommandOf(parsed.command)
  if ('fault' in command) return failure(400, `pool: ${command.fault}`)
  const names = rigs.select(selection)
  if (names.length === 0) return failure(400, 'no rig that is watched has this group or these labels')
  const results = await rigs.command(names, command)
  return json({ results: results.map(({ rig, error }) => ({ rig, done: error === '', error })) })
}
