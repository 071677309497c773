// The list of watched rigs as the user interface changes it: at once in what is watched, and in the config file, so that the
// next start has the same. Tokens come in and are kept; none ever goes out again.
import { messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { Secret } from '../../base/secret'
import type { Clock } from '../../base/time'
import { parseRig, RIG_NAME, type RigAddress, rigText } from '../../config/values/rig-address'
import { RigClient } from '../../miner/monitor/rig-client'
import { type RigFigures, rigFigures } from '../../miner/monitor/rig-figures'
import { placeText, type RigMonitor } from '../../miner/monitor/rig-monitor'
import { HostError } from '../errors'
import type { ConfigSettings } from '../settings/config-settings'
import type { Kept } from './pool-settings'

const LIST = 'rigs.list'
const MAX_RIGS = 256

export interface RigSettingsDeps {
  readonly monitor: RigMonitor
  /** Names of rigs that a file of its own gives; nothing here changes those. */
  readonly fixed: readonly string[]
  /** What this computer itself is called in the list. */
  readonly ownName: string
  readonly settings: Pick<ConfigSettings, 'set'>
  readonly clock: Clock
  readonly log: Logger
}

/** A rig as it was typed. */
export interface TypedRig {
  /** The watched rig that this is a change of; null = another one. */
  readonly replaces: string | null
  /** Empty = HOST:PORT. */
  readonly name: string
  /** HOST:PORT */
  readonly address: string
  /** Null = the one that is stored, as long as the address is the same; empty = none. */
  readonly token: string | null
}

export type RigTestOutcome = { readonly figures: RigFigures } | { readonly fault: string }

export class RigSettings {
  readonly #deps: RigSettingsDeps
  #notKept = ''

  constructor(deps: RigSettingsDeps) {
    this.#deps = deps
  }

  /** Why the file does not have the list as it is now; empty when it has. */
  get notKept(): string {
    return this.#notKept
  }

  isFixed(name: string): boolean {
    return this.#deps.fixed.includes(name)
  }

  /** Asks a rig for its summary as it was typed, and keeps nothing. */
  async test(typed: TypedRig): Promise<RigTestOutcome> {
    const client = new RigClient(this.#read(typed), this.#deps.clock)
    try {
      const outcome = await client.summary()
      return 'error' in outcome ? { fault: outcome.error } : { figures: rigFigures(outcome.summary) }
    } finally {
      client.close()
    }
  }

  /** @throws HostError HOST_RIG_INVALID, HOST_RIG_UNKNOWN, HOST_RIG_FIXED */
  save(typed: TypedRig): Kept {
    const { monitor, log, ownName } = this.#deps
    const rig = this.#read(typed)
    const { replaces } = typed
    const taken = monitor.list().some(({ name }) => name === rig.name && name !== replaces)
    if (taken || rig.name === ownName) throw invalid(`there is a rig named ${rig.name} already`)
    if (replaces === null && monitor.list().length >= MAX_RIGS) throw invalid(`at most ${MAX_RIGS} rigs are watched`)
    const before = monitor.list()
    const kept = this.#write(
      replaces === null ? [...before, rig] : before.map((each) => (each.name === replaces ? rig : each)),
    )
    if (replaces === null) monitor.add(rig)
    else monitor.replace(replaces, rig)
    log.info(replaces === null ? 'rig added' : 'rig changed', { rig: rig.name, host: placeText(rig) })
    return kept
  }

  /** @throws HostError HOST_RIG_UNKNOWN, HOST_RIG_FIXED */
  remove(name: string): Kept {
    const { monitor, log } = this.#deps
    this.#known(name)
    const kept = this.#write(monitor.list().filter((each) => each.name !== name))
    monitor.remove(name)
    log.info('rig removed', { rig: name })
    return kept
  }

  #known(name: string): RigAddress {
    const found = this.#deps.monitor.list().find((rig) => rig.name === name)
    if (found === undefined) throw new HostError('HOST_RIG_UNKNOWN', { name })
    if (this.isFixed(name)) throw new HostError('HOST_RIG_FIXED', { name })
    return found
  }

  #read({ replaces, name, address, token }: TypedRig): RigAddress {
    const before = replaces === null ? null : this.#known(replaces)
    if (name !== '' && !RIG_NAME.test(name))
      throw invalid(`${name} is not a name of 1..32 letters, digits, blanks, dots, underscores or dashes`)
    const place = parseRig(address)
    if (place === null || /[=#]/.test(address)) throw invalid('the address is not HOST:PORT with a port in 1..65535')
    // Labels are written in files; a change here keeps them.
    const kept = { ...place, name: name === '' ? place.name : name, labels: before?.labels ?? place.labels }
    if (token === null) {
      // A stored token goes to the address it was stored for, and to no other.
      const isSame = before !== null && placeText(before) === placeText(place)
      return { ...kept, token: isSame ? before.token : null }
    }
    const rig = { ...kept, token: token === '' ? null : new Secret(token) }
    if (parseRig(rigText(rig)) === null)
      throw invalid('the token is not 1..512 visible ASCII characters without blanks')
    return rig
  }

  /** What is watched changes in any case, so what the file says against it is an answer, no error. */
  #write(rigs: readonly RigAddress[]): Kept {
    const texts = rigs.flatMap((rig) => (this.isFixed(rig.name) ? [] : [rigText(rig)]))
    this.#notKept = ''
    try {
      // What guards this option is a warning of command lines that others can read; the file is its owner's alone.
      this.#deps.settings.set(LIST, texts.length === 0 ? null : texts.join(','), true)
    } catch (error: unknown) {
      this.#notKept = messageOf(error)
    }
    return { kept: this.#notKept === '', reason: this.#notKept }
  }
}

function invalid(fault: string): Error {
  return new HostError('HOST_RIG_INVALID', { fault })
}
