// Counts of blocks by pool, in a file of the data directory.
import { readFileSync } from 'node:fs'
import { replaceOwnerFile } from '../../files/owner-file'
import { honestySchema } from '../../miner/pool/pool-honesty'
import type { HonestyStore } from './watched-pools'

/** @param file absolute; its folder is there before the first write */
export function honestyFile(file: string): HonestyStore {
  return {
    load: () => {
      try {
        const kept: unknown = JSON.parse(readFileSync(file, 'utf8'))
        return honestySchema.safeParse(kept).data ?? {}
      } catch {
        return {} // the first start, or a file that is no longer readable: counting begins again
      }
    },
    save: (counts) => replaceOwnerFile(file, `${JSON.stringify(counts)}\n`),
  }
}
