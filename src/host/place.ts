// Where the program lives: room on its disk, and the names that the home network knows this machine by.
import { networkInterfaces } from 'node:os'
import type { PlaceView } from '../contract/app'
import { systemFreeBytes } from '../node/store/disk-guard'

export async function lookAround(dataDir: string): Promise<PlaceView> {
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
  return { freeBytes: await systemFreeBytes(dataDir), addresses }
}
