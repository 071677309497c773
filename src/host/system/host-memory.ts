// How much memory a large allocation can use without causing swapping.
import { readFileSync } from 'node:fs'
import { freemem } from 'node:os'

const KIB = 1_024

/** Bytes. Linux includes reclaimable caches; elsewhere only free memory. */
export function availableMemory(readText: (path: string) => string = readSystemFile): number {
  try {
    const line = /^MemAvailable:\s+(\d+) kB$/m.exec(readText('/proc/meminfo'))
    if (line !== null) return Number(line[1]) * KIB
  } catch {
    // no such file: not Linux
  }
  return freemem()
}

function readSystemFile(path: string): string {
  return readFileSync(path, 'utf8')
}
