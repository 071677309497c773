// tune: reads and changes GPU settings while no miner does so itself.
import { visibleText } from '../../base/language/visible-text'
import { ConfigError } from '../../config/errors'
import {
  keepProfile,
  knobLines,
  profileNameOf,
  settingOf,
  tunableCards,
  tuneCards,
} from '../../host/miner/tune-command'
import type { TradesDeps } from '../../host/trades-deps'
import type { CliCall } from '../call'
import { EXIT_DONE, EXIT_FAILED } from '../exit-codes'
import { configOf } from '../load-config'
import { untilSignal } from '../stop-signals'
import { depsOf } from '../trades-of-call'

const ACTIONS = ['list', 'set', 'reset', 'keep'] as const

/** Exits with 1 when a GPU couldn't be set. */
export async function runTune(call: CliCall): Promise<number> {
  const { parsed, world } = call
  const [first = 'list', ...rest] = parsed.words
  const action = ACTIONS.find((known) => known === first)
  if (action === undefined) throw unexpected(first, ACTIONS.join(', '))
  const act = ACTS[action](rest)
  const config = configOf(call)
  return untilSignal(world, (signal) => act(call, depsOf(config, world.platform, 'warn'), signal))
}

type Act = (call: CliCall, deps: TradesDeps, signal: AbortSignal) => Promise<number>

/** Words are parsed before any GPU is accessed. @throws ConfigError CONFIG_UNEXPECTED_WORD */
const ACTS: Readonly<Record<(typeof ACTIONS)[number], (words: readonly string[]) => Act>> = {
  list: (words) => {
    if (words.length > 0) throw unexpected(words[0] ?? '', 'options only')
    return list
  },
  set: ([card, ...words]) => {
    if (card === undefined || words.length === 0) throw unexpected(card ?? '', 'set CARD KNOB=VALUE...')
    const settings = words.map((word) => {
      const setting = settingOf(word)
      if (setting === null) throw unexpected(word, 'power=, core=, memory= or fan= with a number or auto')
      return setting
    })
    const knobs = settings.flatMap((setting) => Object.keys(setting))
    const twice = words.find((_, at) => knobs.indexOf(knobs[at] ?? '') !== at)
    if (twice !== undefined) throw unexpected(twice, 'each of power=, core=, memory= and fan= once')
    return (call, deps, signal) => told(call, tuneCards(deps, card, Object.assign({}, ...settings), signal))
  },
  reset: ([card = 'all', ...more]) => {
    if (more.length > 0) throw unexpected(more[0] ?? '', 'reset [CARD]')
    return (call, deps, signal) => told(call, tuneCards(deps, card, null, signal))
  },
  keep: ([name, ...more]) => {
    const profile = name === undefined || more.length > 0 ? null : profileNameOf(name)
    if (profile === null) throw unexpected(name ?? '', 'keep NAME, letters, digits and . _ -')
    return async ({ world }, deps, signal) => {
      const kept = await keepProfile(deps, profile, signal)
      for (const line of kept.length === 0 ? ['no GPU settings have been changed'] : kept)
        world.platform.standardOutput(line)
      return kept.length === 0 ? EXIT_FAILED : EXIT_DONE
    }
  },
}

const list: Act = async ({ parsed, world }, deps, signal) => {
  const cards = await tunableCards(deps, signal)
  const say = world.platform.standardOutput
  if (parsed.json) say(JSON.stringify(cards))
  else if (cards.length === 0) say('no GPU with adjustable settings found')
  else
    for (const { pci, name, knobs } of cards) {
      say(`${pci}  ${visibleText(name)}`)
      for (const line of knobLines(knobs)) say(`  ${line}`)
    }
  return EXIT_DONE
}

async function told({ parsed, world }: CliCall, tuned: ReturnType<typeof tuneCards>): Promise<number> {
  const results = await tuned
  const say = world.platform.standardOutput
  if (parsed.json) say(JSON.stringify(results))
  else for (const { pci, error } of results) say(`${pci}  ${visibleText(error) || 'done'}`)
  return results.every(({ error }) => error === '') ? EXIT_DONE : EXIT_FAILED
}

function unexpected(word: string, accepted: string): Error {
  return new ConfigError('CONFIG_UNEXPECTED_WORD', { word, command: 'tune', accepted })
}
