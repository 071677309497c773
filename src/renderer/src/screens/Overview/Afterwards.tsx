// What is loaded apart, and only once the first words and figures of the page are there: before that it would hold them up.
import { type ReactNode, Suspense } from 'react'
import { useIsHealthKnown } from '../../state/use-health'

export interface AfterwardsProps {
  /** In its place until then, in its size. */
  readonly fallback?: ReactNode
  readonly children: ReactNode
}

export function Afterwards({ fallback = null, children }: AfterwardsProps) {
  const isKnown = useIsHealthKnown()
  return isKnown ? <Suspense fallback={fallback}>{children}</Suspense> : fallback
}
