// The UI's changes to the pool list: applied immediately where pools are in use, and saved to the config file for the
// next start. Without pools in this run, the file's list is the only one.

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

/** Whether the file has the current list; `reason` says why not. */
export interface Kept {
  readonly kept: boolean
  readonly reason: string
}

/** Identifies a removed pool until it can no longer be restored. */
type Removed = Kept & { readonly undo: number }

/** How long a removal can be undone; a page offers it for less. */
const UNDO_MS = 60_000

interface PoolSettingsDeps {
  /** The list in use; null when this run mines for its own node. */
  readonly pools: PoolSource | null
  /** The addresses of this run, with passwords. */
  readonly given: readonly Secret[]
  /** Whether they ended with `exit`. */
  readonly exitAtEnd: boolean
  readonly readPool: (text: string) => PoolUrlOutcome
  readonly settings: Pick<ConfigSettings, 'listInFile' | 'set'>
  readonly clock: Pick<Clock, 'monotonic'>
  /** Called in the same turn as a pool is entered, so before it is connected. */
  readonly onEntered?: (url: PoolUrl) => void
}

interface Gone {
  readonly undo: number
  readonly index: number
  readonly text: string
  /** monotonic ms */
  readonly until: number
}

/** Positions are those that the page shows: the list in use, or the planned one. */
export class PoolSettings {
  /** Emitted after each change of the planned list. */
  readonly events = new Emitter<{ plannedChanged: null }>()
  /** The text of each address by its identity in the list, since a parsed address no longer contains the password. */
  readonly #texts = new Map<string, string>()
  #gone: readonly Gone[] = []
  #removals = 0

  constructor(private readonly deps: PoolSettingsDeps) {
    for (const text of deps.given) this.#remember(text.reveal())
  }

  /** The pools of the next start; empty when pools are in use now, and when the file can't be read. */
  planned(): readonly PoolUrl[] {
    if (this.deps.pools !== null) return []
    try {
      return this.#inFile().flatMap((text) => {
        const outcome = this.deps.readPool(text)
        return 'url' in outcome ? [outcome.url] : []
      })
    } catch {
      return [] // the settings form reports what is wrong with the file
    }
  }

  /**
   * @throws HostError HOST_POOL_ADDRESS; MinerError POOL_DUPLICATE, POOL_LIST_FULL; of the file when pools are planned
   */
  add(text: string): Kept {
    const outcome = this.deps.readPool(text)
    if ('fault' in outcome) throw new HostError('HOST_POOL_ADDRESS', { fault: outcome.fault })
    const { pools } = this.deps
    if (pools === null) {
      this.#refuseTwin(outcome.url, undefined)
      return this.#plan([...this.#inFile(), text])
    }
    pools.add(outcome.url)
    this.deps.onEntered?.(outcome.url)
    this.#texts.set(keyOf(outcome.url), text)
    return this.#save(pools)
  }

  /**
   * Changes a pool's address; `***` in it keeps the current password.
   * @throws HostError HOST_POOL_ADDRESS, HOST_POOL_PASSWORD, HOST_POOL_INDEX; MinerError POOL_INDEX, POOL_DUPLICATE,
   * POOL_SWITCHING
   */
  edit(index: number, typed: string): Kept {
    const text = this.filled(typed, index)
    const outcome = this.deps.readPool(text)
    if ('fault' in outcome) throw new HostError('HOST_POOL_ADDRESS', { fault: outcome.fault })
    const { pools } = this.deps
    if (pools === null) {
      const own = this.#placeOf(index)
      this.#refuseTwin(outcome.url, this.#inFile()[own])
      return this.#plan(this.#inFile().map((each, place) => (place === own ? text : each)))
    }
    pools.replace(index, outcome.url)
    this.deps.onEntered?.(outcome.url)
    this.#texts.set(keyOf(outcome.url), text)
    return this.#save(pools)
  }

  /** The address with the password of the pool at `index` in place of its mask. @throws HostError HOST_POOL_PASSWORD */
  filled(typed: string, index: number): string {
    const text = withPasswordOf(typed, this.#textAt(index) ?? '')
    if (text === null) throw new HostError('HOST_POOL_PASSWORD', undefined)
    return text
  }

  /** Its address for a form, with path and parameters, the password masked. @throws HostError HOST_POOL_INDEX */
  shown(index: number): string {
    const text = this.#textAt(index)
    return text === undefined ? this.urlAt(index).masked : maskedText(text)
  }

  /** @throws HostError HOST_POOL_INDEX */
  urlAt(index: number): PoolUrl {
    const { pools } = this.deps
    const all = pools === null ? this.planned() : pools.pools().map(({ url }) => url)
    const url = all[index]
    if (url === undefined) throw new HostError('HOST_POOL_INDEX', { index, count: all.length })
    return url
  }

  /** @throws MinerError POOL_INDEX, POOL_ACTIVE, POOL_SWITCHING; HostError HOST_POOL_INDEX */
  remove(index: number): Removed {
    const { pools, clock } = this.deps
    const text = this.#textAt(index)
    pools?.remove(index)
    const kept = pools === null ? this.#plan(this.#changed(index, null)) : this.#save(pools)
    this.#removals += 1
    const undo = this.#removals
    const now = clock.monotonic()
    const gone = text === undefined ? [] : [{ undo, index, text, until: now + UNDO_MS }]
    this.#gone = [...this.#gone.filter(({ until }) => until > now), ...gone]
    return { ...kept, undo }
  }

  /**
   * Restores a removed pool. @throws HostError HOST_POOL_GONE, HOST_POOL_ADDRESS; MinerError POOL_DUPLICATE,
   * POOL_LIST_FULL
   */
  restore(undo: number): Kept {
    const { pools, clock, readPool } = this.deps
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
    const { pools } = this.deps
    if (pools === null) return this.#plan(this.#changed(index, to))
    pools.move(index, to)
    return this.#save(pools)
  }

  #forget(undo: number): void {
    this.#gone = this.#gone.filter((each) => each.undo !== undo)
  }

  /**
   * Undefined when there is no pool, or one added through the miner's own interface whose password was never entered
   * here.
   */
  #textAt(index: number): string | undefined {
    const { pools } = this.deps
    if (pools === null) return this.#inFile()[this.#places()[index] ?? -1]
    const pool = pools.pools()[index]
    return pool === undefined ? undefined : this.#texts.get(keyOf(pool.url))
  }

  /** @param except the text it replaces */
  #refuseTwin(url: PoolUrl, except: string | undefined): void {
    const others = this.#inFile().filter((text) => text !== except)
    const isThere = others.some((text) => {
      const outcome = this.deps.readPool(text)
      return 'url' in outcome && keyOf(outcome.url) === keyOf(url)
    })
    if (isThere) throw new HostError('HOST_POOL_ADDRESS', { fault: `${url.masked} is in the list already` })
  }

  #remember(text: string): void {
    const outcome = this.deps.readPool(text)
    if ('url' in outcome) this.#texts.set(keyOf(outcome.url), text)
  }

  #inFile(): readonly string[] {
    return this.deps.settings.listInFile(LIST).filter((text) => text !== EXIT)
  }

  /** The planned list with one removed or moved. */
  #changed(index: number, to: number | null): readonly string[] {
    const texts = [...this.#inFile()]
    const [from, target] = [this.#placeOf(index), to === null ? null : this.#placeOf(to)]
    const taken = texts.splice(from, 1)
    if (target !== null) texts.splice(target, 0, ...taken)
    return texts
  }

  /** Positions of the planned pools among the file's texts: an invalid one isn't displayed, and keeps its position. */
  #places(): readonly number[] {
    return this.#inFile().flatMap((text, place) => ('url' in this.deps.readPool(text) ? [place] : []))
  }

  /** @throws HostError HOST_POOL_INDEX */
  #placeOf(index: number): number {
    const places = this.#places()
    const place = places[index]
    if (place === undefined) throw new HostError('HOST_POOL_INDEX', { index, count: places.length })
    return place
  }

  #plan(texts: readonly string[]): Kept {
    this.#write(texts, this.deps.settings.listInFile(LIST).includes(EXIT))
    this.events.emit('plannedChanged', null)
    return { kept: true, reason: '' }
  }

  /** The list in use has already changed, so a problem with the file is an answer, not an error. */
  #save(pools: PoolSource): Kept {
    // Pools added through the miner's own interface were never entered here: they last for this run, as documented
    // there.
    const texts = pools.pools().flatMap(({ url }) => this.#texts.get(keyOf(url)) ?? [])
    try {
      this.#write(texts, this.deps.exitAtEnd)
      return { kept: true, reason: '' }
    } catch (error: unknown) {
      return { kept: false, reason: messageOf(error) }
    }
  }

  #write(texts: readonly string[], exitAtEnd: boolean): void {
    const words = [...texts, ...(exitAtEnd && texts.length > 0 ? [EXIT] : [])]
    this.deps.settings.set(LIST, words.length === 0 ? null : words.join(' '), false)
  }
}

/** A pool's identity within a list; contains no password. */
function keyOf({ plain, path }: PoolUrl): string {
  return `${plain} ${path}`
}
