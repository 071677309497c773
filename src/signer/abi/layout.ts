// Where a type lies in ABI-encoded bytes: on the spot, or behind an offset.
import type { AbiType } from './signature'

export const WORD = 32

/** Whether it lies behind an offset. */
export function isDynamic(type: AbiType): boolean {
  switch (type.kind) {
    case 'bytes':
    case 'string':
      return true
    case 'array':
      return type.length === null || isDynamic(type.element)
    case 'tuple':
      return type.members.some(isDynamic)
    default:
      return false
  }
}

/** Bytes it takes in the head: an offset's word when dynamic. May be more than any data has; never compared exactly. */
export function headSize(type: AbiType): number {
  if (isDynamic(type)) return WORD
  if (type.kind === 'array') return (type.length ?? 0) * headSize(type.element)
  if (type.kind === 'tuple') return type.members.reduce((sum, member) => sum + headSize(member), 0)
  return WORD
}
