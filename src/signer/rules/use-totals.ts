// What policies have approved, summed so that a decision takes the same time after a million uses as after the first.

/** Whose uses: all of an account's, or those of one token. */
interface UseKey {
  readonly account: string
  /** Lower case; null = all uses, summed in wei. */
  readonly contract: string | null
}

/** Number and sum: wei for all uses of an account, smallest units for a token's. */
interface UseSum {
  readonly count: number
  readonly sum: bigint
}

interface CountedUse {
  readonly account: string
  /** UTC ms */
  readonly at: number
  /** Decimal. */
  readonly wei: string
  readonly token: { readonly contract: string; readonly amount: string } | null
}

/** Uses this close together are one entry, as old as the latest of them: a limit is never freed too early. */
const NEAR_MS = 60_000
/** Uses older than two days may be an hour apart. */
const OLD_MS = 48 * 3_600_000
const OLD_NEAR_MS = 3_600_000

/** One entry: time of its latest use, and number and sum of its uses. */
type UseEntry = [at: number, count: number, sum: string]

/** Cumulative sums in order of time. */
class Series {
  readonly #at: number[] = []
  /** Start of each entry, so that entries don't grow without end. */
  readonly #from: number[] = []
  readonly #count: number[] = []
  readonly #sum: bigint[] = []
  /** Entries that were looked at for sums. */
  looks = 0

  add(at: number, amount: bigint, count = 1): void {
    const last = this.#at.length - 1
    // In order even where the clock isn't: later counts longer.
    const time = Math.max(at, this.#at[last] ?? at)
    const isNear = last >= 0 && time - (this.#from[last] ?? 0) < NEAR_MS
    const index = isNear ? last : last + 1
    if (!isNear) this.#from.push(time)
    this.#count[index] = (this.#count[last] ?? 0) + count
    this.#sum[index] = (this.#sum[last] ?? 0n) + amount
    this.#at[index] = time
  }

  remove(at: number, amount: bigint): void {
    for (let index = this.#firstAfter(at - 1); index < this.#at.length; index++) {
      this.#count[index] = (this.#count[index] ?? 0) - 1
      this.#sum[index] = (this.#sum[index] ?? 0n) - amount
    }
  }

  since(time: number): UseSum {
    const last = this.#at.length - 1
    const before = this.#firstAfter(time) - 1
    return {
      count: (this.#count[last] ?? 0) - (this.#count[before] ?? 0),
      sum: (this.#sum[last] ?? 0n) - (this.#sum[before] ?? 0n),
    }
  }

  #firstAfter(time: number): number {
    let [low, high] = [0, this.#at.length]
    while (low < high) {
      const middle = (low + high) >> 1
      this.looks += 1
      if ((this.#at[middle] ?? 0) > time) high = middle
      else low = middle + 1
    }
    return low
  }

  /** Entries after `since`, merged where they are old. */
  *entries(since: number, now: number): Generator<UseEntry> {
    let [from, at, count, sum] = [0, 0, 0, 0n]
    for (const [index, time] of this.#at.entries()) {
      if (time <= since) continue
      const ownCount = (this.#count[index] ?? 0) - (this.#count[index - 1] ?? 0)
      const ownSum = (this.#sum[index] ?? 0n) - (this.#sum[index - 1] ?? 0n)
      const isMerged = count > 0 && now - time > OLD_MS && time - from < OLD_NEAR_MS
      if (count > 0 && !isMerged) yield [at, count, sum.toString()]
      if (!isMerged) [from, count, sum] = [time, 0, 0n]
      at = time
      count += ownCount
      sum += ownSum
    }
    if (count > 0) yield [at, count, sum.toString()]
  }
}

export class UseTotals {
  readonly #series = new Map<string, Series>()

  /** Also counts those that are older than the latest one, as if they were as young. */
  add({ account, at, wei, token }: CountedUse): void {
    this.#of({ account, contract: null }).add(at, BigInt(wei))
    if (token !== null) this.#of({ account, contract: token.contract }).add(at, BigInt(token.amount))
  }

  remove({ account, at, wei, token }: CountedUse): void {
    this.#of({ account, contract: null }).remove(at, BigInt(wei))
    if (token !== null) this.#of({ account, contract: token.contract }).remove(at, BigInt(token.amount))
  }

  /** What was used after this time (UTC ms). */
  since(key: UseKey, time: number): UseSum {
    return this.#series.get(nameOf(key))?.since(time) ?? { count: 0, sum: 0n }
  }

  /** Entries that were looked at for all sums so far. */
  get looks(): number {
    return [...this.#series.values()].reduce((sum, { looks }) => sum + looks, 0)
  }

  /** For a file: entries by key, without those up to `since`. @param now UTC ms */
  snapshot(since: number, now: number): Record<string, UseEntry[]> {
    const all = [...this.#series].map(([name, series]): [string, UseEntry[]] => [name, [...series.entries(since, now)]])
    return Object.fromEntries(all.filter(([, entries]) => entries.length > 0))
  }

  restore(snapshot: Readonly<Record<string, readonly UseEntry[]>>): void {
    for (const [name, entries] of Object.entries(snapshot)) {
      const series = this.#named(name)
      for (const [at, count, sum] of entries) series.add(at, BigInt(sum), count)
    }
  }

  #of(key: UseKey): Series {
    return this.#named(nameOf(key))
  }

  #named(name: string): Series {
    const known = this.#series.get(name) ?? new Series()
    this.#series.set(name, known)
    return known
  }
}

function nameOf({ account, contract }: UseKey): string {
  return contract === null ? account : `${account} ${contract}`
}
