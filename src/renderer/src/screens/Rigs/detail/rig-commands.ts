// Commands to rigs: which accept any, what was answered, and what takes a pause back.
import type { ParamsOf, ResultOf } from '../../../../../base/wire/define'
import type { Contract } from '../../../../../contract/contract'
import type { RigView } from '../../../../../contract/rigs'
import type { Backend } from '../../../data/backend'
import type { Text } from '../../../i18n/text'
import type { Refusal } from './rig-controls'

type Command = ParamsOf<Contract, 'miner.rigCommand'>
export type Action = Command['action']

/** What each rig answered, and what takes it back; empty if nothing does. */
export interface Done {
  readonly results: ResultOf<Contract, 'miner.rigCommand'>['results']
  readonly undo: readonly Command[]
}

/** Our own rig, and those of the stratum port, have no API to command. */
export function takesCommands({ local, worker }: Pick<RigView, 'local' | 'worker'>): boolean {
  return !local && worker === null
}

/** `open`: it does. The others say why not; `offline` and `unknown` may be tried anyway. */
export type RigAccess = 'open' | 'offline' | 'unknown' | 'noControl' | 'noToken'

export function accessOf({ figures, hasToken, online }: Pick<RigView, 'figures' | 'hasToken' | 'online'>): RigAccess {
  if (figures === null) return 'unknown'
  if (!figures.control) return 'noControl'
  if (!hasToken) return 'noToken'
  return online ? 'open' : 'offline'
}

/** Why a rig refused a command: what to fix if the cause is known, otherwise the rig's own words. */
export function refusalText({ status, error }: Refusal, t: Text): string {
  if (status === 401) return t('ui.rigs.refused.token')
  if (status === 403) return t('ui.rigs.refused.control')
  if (status === 404) return t('ui.rigs.refused.monitor')
  if (status === null) return error === '' ? t('ui.pause.noContact') : t('ui.rigs.refused.contact', { error })
  return error
}

/** One command to several rigs, each as a whole. */
export async function commandRigs(
  backend: Pick<Backend, 'call'>,
  action: Action,
  chosen: readonly RigView[],
): Promise<Done> {
  const rigs = chosen.map(({ name }) => name)
  const { results } = await backend.call('miner.rigCommand', { rigs, action, gpu: null })
  const did = chosen.filter(({ name }) => results.some(({ rig, error }) => rig === name && error === ''))
  return { results, undo: undoOf(action, did) }
}

export async function takeBack(backend: Pick<Backend, 'call'>, undo: Done['undo']): Promise<Done> {
  const all = await Promise.all(undo.map((command) => backend.call('miner.rigCommand', command)))
  return { results: all.flatMap(({ results }) => results), undo: [] }
}

/** Whole rigs, and single GPUs of rigs that were partly paused. A restart can't be taken back. @param rigs before it */
function undoOf(action: Action, rigs: readonly RigView[]): readonly Command[] {
  if (action === 'restart') return []
  const back = action === 'pause' ? 'resume' : 'pause'
  const isPaused = action === 'resume'
  /** GPUs that `action` changed. */
  const changed = (rig: RigView): readonly number[] =>
    (rig.figures?.gpus ?? []).flatMap(({ paused }, index) => (paused === isPaused ? [index] : []))
  const whole = rigs.filter((rig) => {
    const { length } = changed(rig)
    return length > 0 && length === (rig.figures?.gpus.length ?? 0)
  })
  const byGpu = new Map<number, string[]>()
  for (const rig of rigs.filter((each) => !whole.includes(each)))
    for (const gpu of changed(rig)) byGpu.set(gpu, [...(byGpu.get(gpu) ?? []), rig.name])
  return [
    ...(whole.length === 0 ? [] : [{ rigs: whole.map(({ name }) => name), action: back, gpu: null } as const]),
    ...[...byGpu].map(([gpu, names]) => ({ rigs: names, action: back, gpu }) as const),
  ]
}
