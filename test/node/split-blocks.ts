// The blocks of a file, each as its own bytes.
import { decodeRlp, encodedList, encodeRlp } from '../../src/node/codec/rlp'

export function splitBlocks(file: Uint8Array): readonly Uint8Array[] {
  const list = decodeRlp(encodedList([file]))
  if (!list.ok || list.value instanceof Uint8Array) throw new Error('no blocks')
  return list.value.map((block) => encodeRlp(block))
}
