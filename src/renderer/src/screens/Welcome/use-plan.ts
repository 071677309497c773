// The plan as the page changes it: stored on this device, except for what may contain a password.
import { useMemo, useState } from 'react'
import { useEnvironment, usePreference } from '../../state/environment'
import { newToken, type Plan, type Secrets } from '../../state/welcome-plan'

export interface Planning {
  readonly plan: Plan
  readonly secrets: Secrets
  change(plan: Partial<Plan>): void
  setPoolUrl(url: string): void
}

export function usePlan(): Planning {
  const { preferences } = useEnvironment().stores
  const plan = usePreference((state) => state.plan)
  const [poolUrl, setPoolUrl] = useState('')
  const [token] = useState(() => newToken(window.crypto))
  const secrets = useMemo(() => ({ poolUrl: poolUrl.trim(), token }), [poolUrl, token])
  const change = (part: Partial<Plan>): void => preferences.setState({ plan: { ...plan, ...part } })
  return { plan, secrets, change, setPoolUrl }
}
