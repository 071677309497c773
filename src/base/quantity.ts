// The JSON-RPC QUANTITY: 0x and hex digits without leading zeros, 0x0 for zero.

/** `0x` and minimal digits. @throws RangeError for a negative value. */
export function toQuantity(value: bigint | number): string {
  const big = BigInt(value)
  if (big < 0n) throw new RangeError(`${big} is negative`)
  return `0x${big.toString(16)}`
}

/** The value, or null when the text isn't a QUANTITY (leading zeros, no digits, no prefix, more than 256 bits). `0X` is accepted. */
export function fromQuantity(text: string): bigint | null {
  if (!/^0[xX](0|[1-9a-fA-F][0-9a-fA-F]{0,63})$/.test(text)) return null
  return BigInt(`0x${text.slice(2)}`)
}
