// Stores the detected dialect of each pool: the next start tries it first.
import { z } from 'zod'
import { messageOf } from '../../base/errors'
import { BoundedMap } from '../../base/limits/bounded-map'
import { hostPort, lineDialects, type PoolUrl } from '../../config/values/pool-url'
import { KeptJson, type KeptJsonDeps } from '../../files/json-file'
import type { DialectMemory, LineDialect } from '../../miner/pool/session/session'

/** The pool list holds 64; former ones are remembered too. */
const MAX_POOLS = 256

const fileSchema = z.array(z.tuple([z.string().max(300), z.enum(lineDialects)])).max(MAX_POOLS)

export class KnownDialects implements DialectMemory {
  readonly #kept: KeptJson<readonly (readonly [string, LineDialect])[]>
  /** oldest first */
  readonly #dialects = new BoundedMap<string, LineDialect>(MAX_POOLS)
  #isLoaded = false

  constructor(
    file: string,
    private readonly deps: KeptJsonDeps,
  ) {
    this.#kept = new KeptJson(file, fileSchema, deps)
  }

  async load(): Promise<void> {
    if (this.#isLoaded) return
    this.#isLoaded = true
    for (const [pool, dialect] of (await this.#kept.load()) ?? []) this.#dialects.set(pool, dialect)
  }

  find(url: PoolUrl): LineDialect | null {
    return this.#dialects.get(keyOf(url)) ?? null
  }

  keep(url: PoolUrl, dialect: LineDialect): void {
    const key = keyOf(url)
    if (url.dialect !== null || this.#dialects.get(key) === dialect) return
    this.#dialects.set(key, dialect)
    this.#kept.save([...this.#dialects]).catch((error: unknown) => {
      this.deps.log.warn('pool dialects could not be saved', { reason: messageOf(error) })
    })
  }
}

/** A port may speak another dialect over TLS. */
function keyOf(url: PoolUrl): string {
  return `${url.tls ? 'tls' : 'tcp'}://${hostPort(url)}`
}
