// TXT records through the system's DNS servers.
import { Resolver } from 'node:dns/promises'
import type { ResolveTxt } from './dns-trees'

const TIMEOUT_MS = 5_000
const MAX_RECORDS = 16

/** For `DnsTreesDeps.resolveTxt`. */
export function systemTxtResolver(): ResolveTxt {
  return async (name, signal) => {
    signal.throwIfAborted()
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 })
    const cancel = (): void => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const records = await resolver.resolveTxt(name)
      // A long text is split into strings of 255 bytes.
      return records.slice(0, MAX_RECORDS).map((pieces) => pieces.join(''))
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}
