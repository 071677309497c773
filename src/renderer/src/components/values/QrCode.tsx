// A QR code, drawn locally: its text goes nowhere.
import { useMemo } from 'react'
import { encode } from 'uqr'

/** Blank modules that readers need around the code. */
const BORDER = 4

interface QrCodeProps {
  readonly text: string
  /** What it is, for users who can't see it. */
  readonly label: string
  readonly sizePx?: number
}

export function QrCode({ text, label, sizePx = 160 }: QrCodeProps) {
  const { path, size } = useMemo(() => {
    const { data } = encode(text, { ecc: 'M', border: BORDER })
    const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
    return { path: dark.join(''), size: data.length }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      width={sizePx}
      height={sizePx}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      data-testid="qr-code"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
