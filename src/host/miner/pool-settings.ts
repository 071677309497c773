// The list of pools as the user interface changes it: at once where pools are mined for, and in the config file, so that the
// next start has the same. Where this start mines for its own node, the file's list is all there is.

import { messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import type { Secret } from '../../base/secret'
import type { Clock } from '../../base/time'
import { maskedText, type PoolUrl, type PoolUrlOutcome, withPasswordOf } from '../../config/values/pool-url'
import type { PoolSource } from '../../miner/pool/pool-source'
import { HostError } from '../errors'
import type { ConfigSettings } from '../settings/config-settings'

const LIST = 'pool.urls'
const EXIT = 'exit'

/** Whether the file has the list as it is now; `reason` tells why not. */
export interface Kept {
  readonly kept: boolean
  readonly reason: string
}

/** What names a removed pool until it can no longer be put back. */
export type Removed = Kept & { readonly undo: number }

/** A removal can be taken back for so long; a page offers it for less. */
const UNDO_MS = 60_000

export interface PoolSettingsDeps {
  /** The list in use; null where this start mines for its own node. */
  readonly pools: PoolSource | null
  /** The addresses that this start was given, with their passwords. */
  readonly given: readonly Secret[]
  /** Whether `exit` stood at the end of them. */
  readonly exitAtEnd: boolean
  readonly readPool: (text: string) => PoolUrlOutcome
  readonly settings: Pick<ConfigSettings, 'listInFile' | 'set'>
  readonly clock: Pick<Clock, 'monotonic'>
}

interface Gone {
  readonly undo: number
  readonly index: number
  readonly text: string
  /** monotonic ms */
  readonly until: number
}

export class PoolSettings {
  /** Told after each change of what is planned. */
  readonly events = new Emitter<{ plannedChanged: null }>()
  readonly #deps: PoolSettingsDeps
  /** The text of each address by what tells pools apart, since a read address no longer has its password's place. */
  readonly #texts = new Map<string, string>()
  #gone: readonly Gone[] = []
  #removals = 0

  constructor(deps: PoolSettingsDeps) {
    this.#deps = deps
    for (const text of deps.given) this.#remember(text.reveal())
  }

  /** What the next start will mine for; empty where pools are in use now, and where the file cannot be read. */
  planned(): readonly PoolUrl[] {
    if (this.#deps.pools !== null) return []
    try {
      return this.#inFile().flatMap((text) => {
        const outcome = this.#deps.readPool(text)
        return 'url' in outcome ? [outcome.url] : []
      })
    } catch {
      return [] // the form of settings says what is wrong with the file
    }
  }

  /** @throws HostError HOST_POOL_ADDRESS; MinerError POOL_DUPLICATE, POOL_LIST_FULL; of the file where pools are planned */
  add(text: string): Kept {
    const outcome = this.#deps.readPool(text)
    if ('fault' in outcome) throw new HostError('HOST_POOL_ADDRESS', { fault: outcome.fault })
    const { pools } = this.#deps
    if (pools === null) {
      this.#refuseTwin(outcome.url, undefined)
      return this.#plan([...this.#inFile(), text])
    }
    pools.add(outcome.url)
    this.#texts.set(keyOf(outcome.url), text)
    return this.#save(pools)
  }

  /**
   * Another address for a pool; `***` in it stands for the password that it has.
   * @throws HostError HOST_POOL_ADDRESS, HOST_POOL_PASSWORD, HOST_POOL_INDEX; MinerError POOL_INDEX, POOL_DUPLICATE, POOL_SWITCHING
   */
  edit(index: number, typed: string): Kept {
    const text = this.filled(typed, index)
    const outcome = this.#deps.readPool(text)
    if ('fault' in outcome) throw new HostError('HOST_POOL_ADDRESS', { fault: outcome.fault })
    const { pools } = this.#deps
    if (pools === null) {
      const own = this.#placeOf(index)
      this.#refuseTwin(outcome.url, this.#inFile()[own])
      return this.#plan(this.#inFile().map((each, place) => (place === own ? text : each)))
    }
    pools.replace(index, outcome.url)
    this.#texts.set(keyOf(outcome.url), text)
    return this.#save(pools)
  }

  /** The address with the password of the pool at `index` where it stands masked. @throws HostError HOST_POOL_PASSWORD */
  filled(typed: string, index: number): string {
    const text = withPasswordOf(typed, this.#textAt(index) ?? '')
    if (text === null) throw new HostError('HOST_POOL_PASSWORD', undefined)
    return text
  }

  /** Its address for a form, with path and switches, the password masked. @throws HostError HOST_POOL_INDEX */
  shown(index: number): string {
    const text = this.#textAt(index)
    return text === undefined ? this.urlAt(index).masked : maskedText(text)
  }

  /** @throws HostError HOST_POOL_INDEX */
  urlAt(index: number): PoolUrl {
    const { pools } = this.#deps
    const all = pools === null ? this.planned() : pools.pools().map(({ url }) => url)
    const url = all[index]
    if (url === undefined) throw new HostError('HOST_POOL_INDEX', { index, count: all.length })
    return url
  }

  /** @throws MinerError POOL_INDEX, POOL_ACTIVE, POOL_SWITCHING; HostError HOST_POOL_INDEX */
  remove(index: number): Removed {
    const { pools, clock } = this.#deps
    const text = this.#textAt(index)
    const kept = pools === null ? this.#plan(this.#changed(index, null)) : this.#removeInUse(pools, index)
    this.#removals += 1
    const undo = this.#removals
    const now = clock.monotonic()
    const gone = text === undefined ? [] : [{ undo, index, text, until: now + UNDO_MS }]
    this.#gone = [...this.#gone.filter(({ until }) => until > now), ...gone]
    return { ...kept, undo }
  }

  /** Puts back what was removed. @throws HostError HOST_POOL_GONE, HOST_POOL_ADDRESS; MinerError POOL_DUPLICATE, POOL_LIST_FULL */
  restore(undo: number): Kept {
    const { pools, clock, readPool } = this.#deps
    const gone = this.#gone.find((each) => each.undo === undo && each.until > clock.monotonic())
    const outcome = gone === undefined ? null : readPool(gone.text)
    if (gone === undefined || outcome === null || 'fault' in outcome) throw new HostError('HOST_POOL_GONE', undefined)
    if (pools === null) {
      this.#refuseTwin(outcome.url, undefined)
      const texts = [...this.#inFile()]
      texts.splice(this.#places()[gone.index] ?? texts.length, 0, gone.text)
      this.#forget(undo)
      return this.#plan(texts)
    }
    pools.add(outcome.url, Math.min(gone.index, pools.pools().length))
    this.#forget(undo)
    return this.#save(pools)
  }

  /** @throws MinerError POOL_INDEX; HostError HOST_POOL_INDEX */
  move(index: number, to: number): Kept {
    const { pools } = this.#deps
    if (pools === null) return this.#plan(this.#changed(index, to))
    pools.move(index, to)
    return this.#save(pools)
  }

  #removeInUse(pools: PoolSource, index: number): Kept {
    pools.remove(index)
    return this.#save(pools)
  }

  #forget(undo: number): void {
    this.#gone = this.#gone.filter((each) => each.undo !== undo)
  }

  /** Undefined for no pool, and for one that came over the miner's own interface with a password that was never typed here. */
  #textAt(index: number): string | undefined {
    const { pools } = this.#deps
    if (pools === null) return this.#inFile()[this.#places()[index] ?? -1]
    const pool = pools.pools()[index]
    if (pool === undefined) return undefined
    return this.#texts.get(keyOf(pool.url))
  }

  /** @param except the text that makes room for it */
  #refuseTwin(url: PoolUrl, except: string | undefined): void {
    const others = this.#inFile().filter((text) => text !== except)
    const isThere = others.some((text) => {
      const outcome = this.#deps.readPool(text)
      return 'url' in outcome && keyOf(outcome.url) === keyOf(url)
    })
    if (isThere) throw new HostError('HOST_POOL_ADDRESS', { fault: `${url.masked} is in the list already` })
  }

  #remember(text: string): void {
    const outcome = this.#deps.readPool(text)
    if ('url' in outcome) this.#texts.set(keyOf(outcome.url), text)
  }

  #inFile(): readonly string[] {
    return this.#deps.settings.listInFile(LIST).filter((text) => text !== EXIT)
  }

  /** The planned list with one taken out, or put to another place. */
  #changed(index: number, to: number | null): readonly string[] {
    const texts = [...this.#inFile()]
    const [from, target] = [this.#placeOf(index), to === null ? null : this.#placeOf(to)]
    const taken = texts.splice(from, 1)
    if (target !== null) texts.splice(target, 0, ...taken)
    return texts
  }

  /** Where each planned pool stands among the file's texts: one that cannot be read is not shown, and keeps its place. */
  #places(): readonly number[] {
    return this.#inFile().flatMap((text, place) => ('url' in this.#deps.readPool(text) ? [place] : []))
  }

  /** @throws HostError HOST_POOL_INDEX */
  #placeOf(index: number): number {
    const places = this.#places()
    const place = places[index]
    if (place === undefined) throw new HostError('HOST_POOL_INDEX', { index, count: places.length })
    return place
  }

  #plan(texts: readonly string[]): Kept {
    this.#write(texts, this.#deps.settings.listInFile(LIST).includes(EXIT))
    this.events.emit('plannedChanged', null)
    return { kept: true, reason: '' }
  }

  /** The list in use has changed already, so what the file says against it is an answer, no error. */
  #save(pools: PoolSource): Kept {
    // What came over the miner's own interface was never typed here: it ends with this start, as that interface says.
    const texts = pools.pools().flatMap(({ url }) => this.#texts.get(keyOf(url)) ?? [])
    try {
      this.#write(texts, this.#deps.exitAtEnd)
      return { kept: true, reason: '' }
    } catch (error: unknown) {
      return { kept: false, reason: messageOf(error) }
    }
  }

  #write(texts: readonly string[], exitAtEnd: boolean): void {
    const words = [...texts, ...(exitAtEnd && texts.length > 0 ? [EXIT] : [])]
    this.#deps.settings.set(LIST, words.length === 0 ? null : words.join(' '), false)
  }
}

/** What tells pools of a list apart; no password is in it. */
function keyOf({ plain, path }: PoolUrl): string {
  return `${plain} ${path}`
}
