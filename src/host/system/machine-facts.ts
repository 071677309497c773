// Where the program lives: room on its disk, and the names that the home network knows this machine by.
import { networkInterfaces } from 'node:os'
import type { PlaceView } from '../../contract/app'
import { freeBytesOf, isNetworkDrive } from './disk-facts'

export async function lookAround(dataDir: string): Promise<PlaceView> {
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
  const [freeBytes, isNetwork] = await Promise.all([freeBytesOf(dataDir), isNetworkDrive(dataDir)])
  return { freeBytes, addresses, isNetworkDrive: isNetwork }
}
