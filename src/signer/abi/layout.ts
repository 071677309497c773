// How a type is laid out in ABI-encoded bytes: inline, or behind an offset.
import type { AbiType } from './signature'

export const WORD = 32

/** Whether it is behind an offset. */
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

/** Bytes it takes in the head: one word when dynamic. May exceed any data's length; never compared exactly. */
export function headSize(type: AbiType): number {
  if (isDynamic(type)) return WORD
  if (type.kind === 'array') return (type.length ?? 0) * headSize(type.element)
  if (type.kind === 'tuple') return type.members.reduce((sum, member) => sum + headSize(member), 0)
  return WORD
}
