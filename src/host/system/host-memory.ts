// How much memory a large allocation can use without causing swapping.
import { freemem } from 'node:os'
import { textOrNull } from '../../files/text-or-null'

const KIB = 1_024

/** Bytes. Linux includes reclaimable caches; elsewhere only free memory. */
export function availableMemory(readText: (path: string) => string | null = textOrNull): number {
  const line = /^MemAvailable:\s+(\d+) kB$/m.exec(readText('/proc/meminfo') ?? '')
  return line === null ? freemem() : Number(line[1]) * KIB
}
