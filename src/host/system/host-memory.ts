// How much memory a large allocation can have without the computer beginning to swap.
import { readFileSync } from 'node:fs'
import { freemem } from 'node:os'

const KIB = 1_024

/** Bytes. Linux tells what it would give back from its caches, too; elsewhere what lies idle. */
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
