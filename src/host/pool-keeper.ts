// The list of pools as the user interface changes it: at once where pools are mined for, and in the config file, so that the
// next start has the same. Where this start mines for its own node, the file's list is all there is.

import { messageOf } from '../base/errors'
import { Emitter } from '../base/events'
import type { Secret } from '../base/secret'
import type { PoolSource } from '../miner/pool/pool-source'
import type { PoolUrl, PoolUrlOutcome } from '../miner/pool/pool-url'
import { HostError } from './errors'
import type { SettingsDesk } from './settings-desk'

const LIST = 'pool.urls'
const EXIT = 'exit'

/** Whether the file has the list as it is now; `reason` tells why not. */
export interface Kept {
  readonly kept: boolean
  readonly reason: string
}

export interface PoolKeeperDeps {
  /** The list in use; null where this start mines for its own node. */
  readonly pools: PoolSource | null
  /** The addresses that this start was given, with their passwords. */
  readonly given: readonly Secret[]
  /** Whether `exit` stood at the end of them. */
  readonly exitAtEnd: boolean
  readonly readPool: (text: string) => PoolUrlOutcome
  readonly settings: Pick<SettingsDesk, 'listInFile' | 'set'>
}

export class PoolKeeper {
  /** Told after each change of what is planned. */
  readonly events = new Emitter<{ plannedChanged: null }>()
  readonly #deps: PoolKeeperDeps
  /** The text of each address by what tells pools apart, since a read address no longer has its password's place. */
  readonly #texts = new Map<string, string>()

  constructor(deps: PoolKeeperDeps) {
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
      if (this.planned().some((url) => keyOf(url) === keyOf(outcome.url)))
        throw new HostError('HOST_POOL_ADDRESS', { fault: `${outcome.url.masked} is in the list already` })
      return this.#plan([...this.#inFile(), text])
    }
    pools.add(outcome.url)
    this.#texts.set(keyOf(outcome.url), text)
    return this.#save(pools)
  }

  /** @throws MinerError POOL_INDEX, POOL_ACTIVE, POOL_SWITCHING; HostError HOST_POOL_INDEX */
  remove(index: number): Kept {
    const { pools } = this.#deps
    if (pools === null) return this.#plan(this.#changed(index, null))
    pools.remove(index)
    return this.#save(pools)
  }

  /** @throws MinerError POOL_INDEX; HostError HOST_POOL_INDEX */
  move(index: number, to: number): Kept {
    const { pools } = this.#deps
    if (pools === null) return this.#plan(this.#changed(index, to))
    pools.move(index, to)
    return this.#save(pools)
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
    const wrong = [index, to ?? index].find((place) => texts[place] === undefined)
    if (wrong !== undefined) throw new HostError('HOST_POOL_INDEX', { index: wrong, count: texts.length })
    const taken = texts.splice(index, 1)
    if (to !== null) texts.splice(to, 0, ...taken)
    return texts
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
