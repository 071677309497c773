// The UI's changes to the rig list: applied to monitoring immediately, and saved to the config file for the next start.
// Tokens come in and are stored; none is ever returned.
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

interface RigSettingsDeps {
  readonly monitor: RigMonitor
  /** Names of rigs from the rig file; they can't be changed here. */
  readonly fixed: readonly string[]
  /** This computer's name in the list. */
  readonly ownName: string
  readonly settings: Pick<ConfigSettings, 'set'>
  readonly clock: Clock
  readonly log: Logger
}

/** A rig as entered. */
export interface TypedRig {
  /** The rig to replace; null = a new one. */
  readonly replaces: string | null
  /** Empty = HOST:PORT. */
  readonly name: string
  /** HOST:PORT */
  readonly address: string
  /** Null = keep the stored one, as long as the address is unchanged; empty = none. */
  readonly token: string | null
}

type RigTestOutcome = { readonly figures: RigFigures } | { readonly fault: string }

export class RigSettings {
  /** Why the file doesn't have the current list; empty when it does. */
  notKept = ''

  constructor(private readonly deps: RigSettingsDeps) {}

  isFixed(name: string): boolean {
    return this.deps.fixed.includes(name)
  }

  /** Asks a rig for its summary with the values entered, and saves nothing. */
  async test(typed: TypedRig): Promise<RigTestOutcome> {
    const client = new RigClient(this.#read(typed), this.deps.clock)
    try {
      const outcome = await client.summary()
      return 'error' in outcome ? { fault: outcome.error } : { figures: rigFigures(outcome.summary) }
    } finally {
      client.close()
    }
  }

  /** @throws HostError HOST_RIG_INVALID, HOST_RIG_UNKNOWN, HOST_RIG_FIXED */
  save(typed: TypedRig): Kept {
    const { monitor, log, ownName } = this.deps
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
    const { monitor, log } = this.deps
    this.#known(name)
    const kept = this.#write(monitor.list().filter((each) => each.name !== name))
    monitor.remove(name)
    log.info('rig removed', { rig: name })
    return kept
  }

  #known(name: string): RigAddress {
    const found = this.deps.monitor.list().find((rig) => rig.name === name)
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
    // Labels are set in files; changes here preserve them.
    const kept = { ...place, name: name === '' ? place.name : name, labels: before?.labels ?? place.labels }
    if (token === null) {
      // A stored token is only sent to the address it was stored for.
      const isSame = before !== null && placeText(before) === placeText(place)
      return { ...kept, token: isSame ? before.token : null }
    }
    const rig = { ...kept, token: token === '' ? null : new Secret(token) }
    if (parseRig(rigText(rig)) === null)
      throw invalid('the token is not 1..512 visible ASCII characters without blanks')
    return rig
  }

  /** Monitoring changes in any case, so a problem with the file is an answer, not an error. */
  #write(rigs: readonly RigAddress[]): Kept {
    const texts = rigs.flatMap((rig) => (this.isFixed(rig.name) ? [] : [rigText(rig)]))
    this.notKept = ''
    try {
      // This option is only dangerous on command lines visible to others; the file is private.
      this.deps.settings.set(LIST, texts.length === 0 ? null : texts.join(','), true)
    } catch (error: unknown) {
      this.notKept = messageOf(error)
    }
    return { kept: this.notKept === '', reason: this.notKept }
  }
}

function invalid(fault: string): Error {
  return new HostError('HOST_RIG_INVALID', { fault })
}
