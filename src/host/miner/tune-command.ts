// GPU settings from the command line, while no miner runs on this data directory.
import { hasCode } from '../../base/errors'
import { MinerError } from '../../miner/errors'
import {
  type CardKnobs,
  type CardSettings,
  KNOB_UNITS,
  KNOB_WORDS,
  KNOBS,
  knobOf,
  settingsText,
} from '../../miner/tuning/card-controls'
import { CardTuner } from '../../miner/tuning/card-tuner'
import { TuningJournal } from '../../miner/tuning/tuning-journal'
import { PROFILE_NAME, TuningProfiles } from '../../miner/tuning/tuning-profiles'
import { dataDirPaths, prepareDataDir } from '../system/data-dir'
import { DataDirLock } from '../system/lock'
import type { TradesDeps } from '../trades-deps'
import { cardFinder } from './create-mining'
import { listDevices } from './device-list'

/** The outcome for one GPU. */
interface TuneResult {
  readonly pci: string
  /** empty: success; else the reason, and the equivalent command for a privileged user */
  readonly error: string
}

interface Opened {
  readonly pci: string
  readonly name: string
  readonly tuner: CardTuner
}

/** GPUs with adjustable settings, and what this program has set. Changes nothing. */
export async function tunableCards(deps: TradesDeps, signal: AbortSignal) {
  const cards = await openCards(deps, signal)
  return Promise.all(
    cards.map(async ({ pci, name, tuner }) => ({
      pci,
      name,
      knobs: await tuner.knobs(),
      set: await tuner.settings(),
    })),
  )
}

/**
 * Sets GPUs until they are reset, or resets them with null.
 * @param card PCI address, or `all`
 * @throws MinerError TUNING_CARD_UNKNOWN, TUNING_KNOB_ABSENT, TUNING_OUT_OF_RANGE; HostError HOST_DATA_DIR_IN_USE
 */
export async function tuneCards(
  deps: TradesDeps,
  card: string,
  settings: CardSettings | null,
  signal: AbortSignal,
): Promise<readonly TuneResult[]> {
  const release = await locked(deps)
  try {
    const cards = await openCards(deps, signal)
    const chosen = card === 'all' ? cards : cards.filter(({ pci }) => pci === card)
    if (chosen.length === 0) throw new MinerError('TUNING_CARD_UNKNOWN', { card, known: cards.map(({ pci }) => pci) })
    const results: TuneResult[] = []
    for (const { pci, tuner } of chosen) results.push({ pci, error: await tune(tuner, settings) })
    return results
  } finally {
    await release()
  }
}

/** Stores each GPU's settings under its model. @returns the names of the models. @throws Error of the file system */
export async function keepProfile(deps: TradesDeps, profile: string, signal: AbortSignal): Promise<readonly string[]> {
  const release = await locked(deps)
  try {
    const { tuningProfiles } = dataDirPaths(deps.config.app.dataDir)
    const profiles = new TuningProfiles(tuningProfiles, deps.logs.logger)
    const cards = await tunableCards(deps, signal)
    const tuned = cards.filter(({ set }) => Object.keys(set).length > 0)
    for (const { name, set } of tuned) await profiles.keep(profile, name, { settings: set, finished: true })
    return tuned.map(({ name, set }) => `${name}: ${settingsText(set)}`)
  } finally {
    await release()
  }
}

/** Null when it isn't a valid profile name. */
export function profileNameOf(text: string): string | null {
  return PROFILE_NAME.test(text) ? text : null
}

/** `KNOB=VALUE`, such as `power=220` or `fan=auto`; null when invalid. */
export function settingOf(word: string): CardSettings | null {
  const [name = '', value = '', ...rest] = word.split('=')
  const knob = knobOf(name)
  if (knob === null || rest.length > 0) return null
  if (value === 'auto') return { [knob]: null }
  return /^\d{1,5}(\.\d{1,3})?$/.test(value) ? { [knob]: Number(value) } : null
}

/** One line per knob: its value, range and unit, and whether it can be set. */
export function knobLines(knobs: CardKnobs): readonly string[] {
  return KNOBS.flatMap((knob) => {
    const range = knobs[knob]
    if (range === undefined) return []
    const { least, most, now, usual, allowed } = range
    const rights = allowed === null ? 'rights: unknown' : allowed ? 'may be set' : 'no rights'
    const own = usual === null ? '' : `, usual ${round(usual)}`
    const word = KNOB_WORDS[knob].padEnd(6)
    return [
      `${word}  ${now === null ? 'auto' : round(now)} of ${round(least)}..${round(most)} ${KNOB_UNITS[knob]}${own}; ${rights}`,
    ]
  })
}

const round = (value: number): string => String(Math.round(value * 10) / 10)

/** @returns the reason on failure; empty on success */
async function tune(tuner: CardTuner, settings: CardSettings | null): Promise<string> {
  try {
    await (settings === null ? tuner.release(true) : tuner.set(settings, 'standing'))
    return ''
  } catch (error) {
    if (!hasCode(error, 'TUNING_REFUSED')) throw error
    return error.message
  }
}

async function openCards(deps: TradesDeps, signal: AbortSignal): Promise<readonly Opened[]> {
  const { devices } = await listDevices(deps, signal)
  const finder = cardFinder(deps)
  const journal = new TuningJournal(dataDirPaths(deps.config.app.dataDir).tuningJournal, deps.logs.logger)
  const seen = new Map<string, Opened>()
  for (const { pci, name } of devices) {
    const controls = pci === '' || seen.has(pci) ? null : await finder.of(pci)
    if (controls !== null) seen.set(pci, { pci, name, tuner: new CardTuner(controls, journal) })
  }
  return [...seen.values()]
}

/**
 * A running miner changes GPU settings itself, and doesn't notice files written by others. @throws HostError
 * HOST_DATA_DIR_IN_USE
 */
async function locked({ config }: TradesDeps): Promise<() => Promise<void>> {
  const paths = prepareDataDir(config.app.dataDir)
  const lock = new DataDirLock({ dir: paths.root, file: paths.lockFile, pid: process.pid })
  await lock.start()
  return () => lock.stop()
}
