// Tests a pool: logs in beside the active one, waits for a job, submits nothing.
import { useState } from 'react'
import type { ResultOf } from '../../../../base/wire/define'
import type { Contract } from '../../../../contract/contract'
import { milliseconds } from '../../format/formatter'
import { type Text, useLanguage, useText } from '../../i18n/text'
import { useAttempt, useTurns } from '../../state/answers/use-answer'
import { useEnvironment } from '../../state/environment'
import { Button, Failure } from '../../widgets/controls/Button'
import { troubleText } from '../../widgets/facts/pause-reason'
import styles from './Pools.module.css'

type Outcome = ResultOf<Contract, 'miner.poolTest'>

interface PoolTest {
  readonly isBusy: boolean
  /** Why there is no outcome; empty if there is one, or none is due. */
  readonly failure: string
  readonly outcome: Outcome | null
  run(url: string, index: number | null): void
  clear(): void
}

/** Shows only the answer to the latest test: a newer one invalidates older answers. */
export function useTest(): PoolTest {
  const { backend } = useEnvironment()
  const { isBusy, failure, run: attempt } = useAttempt()
  const [isAsked, setAsked] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const begin = useTurns()
  const run = (url: string, index: number | null): void => {
    const isCurrent = begin()
    setAsked(true)
    setOutcome(null)
    attempt(async () => {
      const found = await backend.call('miner.poolTest', { url, index })
      if (isCurrent()) setOutcome(found)
    })
  }
  const clear = (): void => {
    begin()
    setAsked(false)
    setOutcome(null)
  }
  return { isBusy: isAsked && isBusy, failure: isAsked ? failure : '', outcome, run, clear }
}

interface TestButtonProps {
  readonly test: PoolTest
  readonly url: string
  readonly index?: number
  readonly name?: string
  readonly disabledReason?: string | undefined
}

export function TestButton({ test, url, index, name, disabledReason }: TestButtonProps) {
  const t = useText()
  return (
    <Button
      size="small"
      aria-label={name}
      isBusy={test.isBusy}
      needsContact
      disabledReason={disabledReason}
      onClick={() => test.run(url, index ?? null)}
    >
      {t(test.isBusy ? 'ui.pools.testing' : 'ui.pools.test')}
    </Button>
  )
}

/** In the reader's language where the class is known. */
function faultText({ trouble, fault }: Outcome, t: Text): string {
  return trouble === null ? fault : troubleText({ trouble, answer: fault }, t)
}

export function TestResult({ test: { isBusy, failure, outcome } }: { readonly test: PoolTest }) {
  const { t, format } = useLanguage()
  const fault = outcome === null || outcome.ok ? failure : faultText(outcome, t)
  if (fault !== '')
    return <Failure text={isBusy ? fault : t('ui.pools.testFailed', { fault })} testId="pool-test-result" />
  if (outcome === null) return null
  const { dialect, difficulty, height, latencyMs } = outcome
  return (
    <p className={styles.success} role="status" data-testid="pool-test-result" data-state="ok">
      {difficulty === null
        ? t('ui.pools.testOkNoJob', { dialect })
        : t('ui.pools.testOk', {
            dialect,
            height: height === null ? 'none' : format.text('count', height),
            difficulty: format.text('difficulty', difficulty),
          })}{' '}
      {latencyMs !== null && t('ui.pools.testLatency', { latency: milliseconds(format, latencyMs) })}
    </p>
  )
}
