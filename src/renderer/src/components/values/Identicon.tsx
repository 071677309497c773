// A picture of an address's digits: those with the same ends look different. Only an aid: the digits decide.
export function Identicon({ address }: { readonly address: string }) {
  const seeds = [...address.toLowerCase().slice(2)].map((digit) => Number.parseInt(digit, 16))
  const hash = seeds.reduce((sum, digit, index) => (Math.imul(sum, 31) + digit + index) >>> 0, 7)
  const hue = hash % 360
  return (
    <svg viewBox="0 0 5 5" width="20" height="20" aria-hidden="true" shapeRendering="crispEdges">
      <rect width="5" height="5" fill={`hsl(${(hue + 180) % 360} 40% 30%)`} />
      {cells(hash).map(({ x, y }) => (
        <rect key={`${x} ${y}`} x={x} y={y} width="1" height="1" fill={`hsl(${hue} 65% 62%)`} />
      ))}
    </svg>
  )
}

/** Mirrored left to right; every cell depends on all digits. */
function cells(hash: number): readonly { readonly x: number; readonly y: number }[] {
  const found: { readonly x: number; readonly y: number }[] = []
  let state = hash
  for (let y = 0; y < 5; y++) {
    for (let x = 0; x < 3; x++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      if (state < 0x80000000) continue
      found.push({ x, y })
      if (x < 2) found.push({ x: 4 - x, y })
    }
  }
  return found
}
