// rigs: queries and commands rigs from a script or a terminal, without a monitor.
import { columns } from '../../base/language/visible-text'
import { Secret } from '../../base/secret'
import { systemClock } from '../../base/time'
import { ConfigError, conflict } from '../../config/errors'
import { LABEL_GRAMMAR, parseLabel } from '../../config/values/rig-address'
import {
  type AskedRig,
  askRigs,
  commandRigs,
  isEmptySelection,
  type RigAction,
  type RigSelection,
} from '../../host/miner/command-rigs'
import type { CliCall } from '../call'
import { EXIT_DONE, EXIT_FAILED } from '../exit-codes'
import { configOf } from '../load-config'

const ACTIONS = ['list', 'pause', 'resume', 'restart', 'set-pool'] as const

/** One line per rig, or with --json one array. Exits with 1 when a rig didn't answer or failed. */
export async function runRigs(call: CliCall): Promise<number> {
  const { parsed, world } = call
  const [first, ...rest] = parsed.words
  const action = ACTIONS.find((known) => known === first)
  if (action === undefined) throw unexpected(first ?? '', ACTIONS.join(', '))
  const pool = action === 'set-pool' ? await poolOf(call, rest[0]) : null
  const selection = selectionOf(call, pool === null ? rest : rest.slice(1))
  const { rigMonitor } = configOf(call)
  if (rigMonitor.rigs.length === 0) throw conflict('no rigs: add --rig or --rig-file')
  const isNothing = isEmptySelection(selection)
  if (action === 'list')
    return list(call, await askRigs(rigMonitor, { ...selection, all: selection.all || isNothing }, systemClock()))
  if (isNothing) throw unexpected('', 'names of rigs, --group, --label or --all')
  const told: RigAction = action === 'set-pool' ? { action, pool: new Secret(pool ?? '') } : { action, gpu: null }
  const results = await commandRigs(rigMonitor, { selection, action: told }, systemClock())
  const shown = results.map(({ rig, error }) => ({ rig, done: error === '', error }))
  if (parsed.json) world.platform.standardOutput(JSON.stringify(shown))
  else
    for (const line of columns(shown.map(({ rig, error }) => [rig, error || 'done'])))
      world.platform.standardOutput(line)
  return shown.every(({ done }) => done) ? EXIT_DONE : EXIT_FAILED
}

function list({ parsed, world }: CliCall, rigs: readonly AskedRig[]): number {
  const head = ['RIG', 'GROUP', 'ADDRESS', 'STATE', 'MH/S', 'WATTS', 'GPUS', 'PAUSED', 'ACCEPTED', 'REJECTED', 'POOL']
  const lines = parsed.json ? [JSON.stringify(rigs)] : columns([head, ...rigs.map(row)])
  for (const line of lines) world.platform.standardOutput(line)
  return rigs.every(({ online }) => online) ? EXIT_DONE : EXIT_FAILED
}

/** Texts of one line. */
export function row({ name, host, labels, error, figures }: AskedRig): readonly string[] {
  const place = [name, labels.group ?? '-', host || '-']
  if (figures === null) return [...place, error]
  const { hashrate, gpus, shares, pool } = figures
  return [
    ...place,
    'online',
    (hashrate.s60 / 1e6).toFixed(2),
    wattsText(gpus.map(({ powerWatts }) => powerWatts)),
    String(gpus.length),
    String(gpus.filter(({ paused }) => paused).length),
    String(shares.accepted),
    String(shares.rejected),
    [pool.host || '-', pool.host === '' || pool.connected ? '' : 'not connected', pool.warning]
      .filter((part) => part !== '')
      .join(', '),
  ]
}

/** A rig sends 0 for what it can't measure: the sum over the others is a lower bound. */
function wattsText(watts: readonly number[]): string {
  const known = watts.filter((each) => each > 0)
  const sum = known.reduce((total, each) => total + each, 0).toFixed(0)
  return known.length === 0 ? '-' : known.length < watts.length ? `>${sum}` : sum
}

/** @throws ConfigError CONFIG_VALUE_INVALID */
function selectionOf({ parsed }: CliCall, names: readonly string[]): RigSelection {
  const texts = (list: string | null): readonly string[] => list?.split(',').filter((text) => text !== '') ?? []
  const labels = texts(parsed.label).map((text) => {
    const label = parseLabel(text)
    if (label !== null) return label
    throw new ConfigError('CONFIG_VALUE_INVALID', { where: '--label', value: text, expected: LABEL_GRAMMAR })
  })
  const twice = labels.find(([name, value]) => labels.some((other) => other[0] === name && other[1] !== value))
  if (twice !== undefined) {
    throw conflict(`--label names two values of ${twice[0]}, and a rig has one: give one`)
  }
  return { rigs: names, groups: texts(parsed.group), labels: Object.fromEntries(labels), all: parsed.all }
}

/** The pool's address; `-`: asked for without echo (passwords). @throws ConfigError CONFIG_UNEXPECTED_WORD */
async function poolOf({ world }: CliCall, word: string | undefined): Promise<string> {
  const text = word === '-' ? await world.askSecret('Pool address: ') : word
  if (text === undefined || text === null || text === '') throw unexpected('', 'set-pool URL [NAME...]')
  return text
}

function unexpected(word: string, accepted: string): Error {
  return new ConfigError('CONFIG_UNEXPECTED_WORD', { word, command: 'rigs', accepted })
}
