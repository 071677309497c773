// Tests a pool: logs in beside the active one, waits for a job, submits nothing.
import { useRef, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { ResultOf } from '../../../../base/wire/define'
import type { Contract } from '../../../../contract/contract'
import { ForeignText } from '../../components/values/HexText'
import { milliseconds } from '../../format/milliseconds'
import { type Text, useFormat, useText } from '../../i18n/text'
import { useApp, useEnvironment } from '../../state/environment'
import { selectIsOpen } from '../../state/stores/app-store'
import { Button } from '../../widgets/controls/Button'
import { troubleText } from '../../widgets/facts/pause-reason'
import styles from './Pools.module.css'

type Outcome = ResultOf<Contract, 'miner.poolTest'>

interface PoolTest {
  readonly isBusy: boolean
  readonly outcome: Outcome | null
  /** @param index of a listed pool whose password `***` stands for; with an empty address it is tested unchanged */
  run(url: string, index: number | null): void
  clear(): void
}

/** Shows only the answer to the latest test: a newer one invalidates older answers. */
export function useTest(): PoolTest {
  const { backend } = useEnvironment()
  const [isBusy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const asked = useRef(0)
  const end = (question: number, found: Outcome | null): void => {
    if (asked.current !== question) return
    setBusy(false)
    setOutcome(found)
  }
  const run = (url: string, index: number | null): void => {
    asked.current += 1
    const question = asked.current
    setBusy(true)
    setOutcome(null)
    const nothing = {
      ok: false,
      trouble: null,
      dialect: '',
      height: null,
      epoch: null,
      difficulty: null,
      latencyMs: null,
    }
    backend.call('miner.poolTest', { url, index }).then(
      (found) => end(question, found),
      (error: unknown) => end(question, { ...nothing, fault: messageOf(error) }),
    )
  }
  const clear = (): void => {
    asked.current += 1
    setBusy(false)
    setOutcome(null)
  }
  return { isBusy, outcome, run, clear }
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
  const isOpen = useApp(selectIsOpen)
  return (
    <Button
      size="small"
      aria-label={name}
      isBusy={test.isBusy}
      disabledReason={isOpen ? disabledReason : t('ui.pause.noContact')}
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

export function TestResult({ test: { outcome } }: { readonly test: PoolTest }) {
  const t = useText()
  const format = useFormat()
  if (outcome === null) return null
  if (!outcome.ok)
    return (
      <p className={styles.failure} role="alert" data-testid="pool-test-result" data-state="failed">
        <ForeignText text={t('ui.pools.testFailed', { fault: faultText(outcome, t) })} />
      </p>
    )
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
