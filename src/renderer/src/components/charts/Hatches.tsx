// How losses look: each cause has its color and the direction of its hatch, so that color is never alone.

/** Why hashes were lost: a device or pool failed, heat, no work to do, or someone wanted it. */
export const lossKinds = ['fault', 'heat', 'work', 'planned'] as const
export type LossKind = (typeof lossKinds)[number]

const looks: Readonly<Record<LossKind, { readonly angle: number; readonly step: number }>> = {
  fault: { angle: 45, step: 6 },
  heat: { angle: -45, step: 6 },
  work: { angle: 90, step: 7 },
  planned: { angle: 0, step: 6 },
}

export const lossColor = (kind: LossKind): string => `var(--loss-${kind})`

const STROKE_PX = 1.5

/** The patterns that `url(#loss-KIND)` names; once a page. */
export function Hatches() {
  return (
    <svg width="0" height="0" style={{ position: 'absolute' }} aria-hidden="true">
      <defs>
        {lossKinds.map((kind) => {
          const { angle, step } = looks[kind]
          return (
            <pattern
              key={kind}
              id={`loss-${kind}`}
              width={step}
              height={step}
              patternUnits="userSpaceOnUse"
              patternTransform={`rotate(${angle})`}
            >
              <rect width={step} height={step} fill={lossColor(kind)} fillOpacity="0.2" />
              <rect width={STROKE_PX} height={step} fill={lossColor(kind)} fillOpacity="0.62" />
            </pattern>
          )
        })}
      </defs>
    </svg>
  )
}

const SWATCH_PX = 12

export function Swatch({ kind }: { readonly kind: LossKind }) {
  return (
    <svg width={SWATCH_PX} height={SWATCH_PX} aria-hidden="true">
      <rect width={SWATCH_PX} height={SWATCH_PX} rx="3" fill={`url(#loss-${kind})`} />
    </svg>
  )
}
