// Content that is loaded separately, once the first texts and figures are on the page: earlier, it would delay them.
import { type ReactNode, Suspense } from 'react'
import { useIsHealthKnown } from '../../state/use-health'

interface AfterwardsProps {
  /** A placeholder of the same size until then. */
  readonly fallback?: ReactNode
  readonly children: ReactNode
}

export function Afterwards({ fallback = null, children }: AfterwardsProps) {
  const isKnown = useIsHealthKnown()
  return isKnown ? <Suspense fallback={fallback}>{children}</Suspense> : fallback
}
