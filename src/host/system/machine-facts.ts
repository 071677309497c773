// Facts about the computer: free disk space, and its names on the local network.
import { networkInterfaces } from 'node:os'
import type { PlaceView } from '../../contract/app'
import { systemFreeBytes } from '../../node/store/disk-guard'
import { isNetworkDrive } from './disk-facts'

export async function placeFacts(dataDir: string): Promise<PlaceView> {
  const addresses = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
  const [freeBytes, isNetwork] = await Promise.all([systemFreeBytes(dataDir), isNetworkDrive(dataDir)])
  return { freeBytes, addresses, isNetworkDrive: isNetwork }
}
