// The addon for these tests, or null if it isn't built: then tests that need it are skipped and say so.
import { fileURLToPath } from 'node:url'
import type { NativeAddon, NativeCache } from '../../src/native/addon'
import { loadAddon } from '../../src/native/loader'
import { XHASH_FULL } from '../../src/xhash/params'
import { cacheBytes } from '../../src/xhash/sizes'

const loaded = loadAddon({ searchFrom: fileURLToPath(new URL('.', import.meta.url)) })

export const addon: NativeAddon | null = 'addon' in loaded ? loaded.addon : null

/** For test names: why they are skipped. */
export const skipReason = addon === null ? ' (SKIPPED: addon not built, run npm run build:native)' : ''

/** The addon, for a test that is skipped without it. */
export function theAddon(): NativeAddon {
  if (addon === null) throw new Error('addon not built')
  return addon
}

/** Full-size caches, each epoch and level built once per file. */
export class FullCaches {
  readonly #caches = new Map<string, Promise<NativeCache>>()

  get(epoch: number, simd = ''): Promise<NativeCache> {
    const key = `${epoch} ${simd}`
    const native = theAddon()
    const cache =
      this.#caches.get(key) ?? native.createCache(native.seedHash(epoch), cacheBytes(XHASH_FULL, epoch), simd)
    this.#caches.set(key, cache)
    return cache
  }
}
