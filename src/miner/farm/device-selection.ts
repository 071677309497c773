// Which detected devices mine (`--devices`): by default every GPU, and the CPU when there is none.
import { MinerError } from '../errors'
import type { DetectedDevice } from './device-backend'

interface DeviceWish {
  /** `all`, `gpu`, `cpu`, an index or a PCI address, with a leading minus to exclude; empty: the default */
  readonly words: readonly string[]
  /** the user enabled the CPU in addition to GPUs */
  readonly wantsCpu: boolean
  /** Called with a word that matches no device. */
  readonly onUnknown: (word: string) => void
  /** Whether words that select nothing are an error. */
  readonly mustSelect: boolean
}

/**
 * In detection order. Words apply in sequence; a leading minus in the first word subtracts from the default.
 * @throws MinerError DEVICE_NONE_SELECTED
 */
export function selectDevices(
  found: readonly DetectedDevice[],
  { words, wantsCpu, onUnknown, mustSelect }: DeviceWish,
): readonly DetectedDevice[] {
  const chosen = new Set(words.length === 0 || words[0]?.startsWith('-') ? defaultOf(found, wantsCpu) : [])
  for (const word of words) {
    const isMinus = word.startsWith('-')
    const meant = found.filter((device, position) => isMeant(device, position, word.replace('-', '')))
    if (meant.length === 0) onUnknown(word)
    for (const device of meant) {
      if (isMinus) chosen.delete(device)
      else chosen.add(device)
    }
  }
  if (mustSelect && words.length > 0 && chosen.size === 0) {
    const names = found.map(({ info }, position) => `${position} ${info.name}`)
    throw new MinerError('DEVICE_NONE_SELECTED', { words, found: names })
  }
  return found.filter((device) => chosen.has(device))
}

function defaultOf(found: readonly DetectedDevice[], wantsCpu: boolean): readonly DetectedDevice[] {
  const hasGpu = found.some(({ info }) => info.backend === 'cuda' || info.backend === 'opencl')
  return hasGpu && !wantsCpu ? found.filter(({ info }) => info.backend !== 'cpu') : found
}

function isMeant({ info }: DetectedDevice, position: number, word: string): boolean {
  if (word === 'all') return true
  if (word === 'cpu') return info.backend === 'cpu'
  if (word === 'gpu') return info.backend !== 'cpu'
  return word === String(position) || (word !== '' && word === info.pci)
}
