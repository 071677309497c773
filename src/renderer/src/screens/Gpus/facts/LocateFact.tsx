// Finds one GPU among others: runs its fans at full speed for a moment, if they can be set.
import { useEffect, useState } from 'react'
import { Fact } from '../../../components/layout/Card'
import { useFormat, useText } from '../../../i18n/text'
import { useApp, useEnvironment, useMiner } from '../../../state/environment'
import { selectCanControl } from '../../../state/stores/app-store'
import { selectDevice } from '../../../state/stores/miner-store'
import { useTuning } from '../../../state/use-device-facts'
import { Button } from '../../../widgets/controls/Button'
import styles from '../Gpus.module.css'
import { useAttempt } from '../Simulated'

/** Renders nothing for a CPU, and for read-only users. */
export function LocateFact({ index }: { readonly index: number }) {
  const t = useText()
  const format = useFormat()
  const { backend, clock } = useEnvironment()
  const canControl = useApp(selectCanControl)
  const kind = useMiner((state) => selectDevice(index)(state)?.backend ?? 'cpu')
  const { card } = useTuning(index)
  const { isBusy, failure, attempt } = useAttempt()
  /** For how long the fans run, a new object for each press; null while they don't. */
  const [run, setRun] = useState<{ readonly runsMs: number } | null>(null)
  useEffect(() => {
    if (run === null) return
    const timer = clock.setTimeout(() => setRun(null), run.runsMs)
    return () => timer.dispose()
  }, [run, clock])
  if (kind === 'cpu' || !canControl) return null
  const fan = card?.knobs.find(({ knob }) => knob === 'fan')
  const locate = (): void => void attempt(async () => setRun(await backend.call('miner.locate', { device: index })))
  return (
    <Fact label={t('ui.gpus.locate')}>
      {fan === undefined || fan.allowed === false ? (
        t(fan === undefined ? 'ui.gpus.locateNoFan' : 'ui.gpus.locateNoRights')
      ) : (
        <>
          <Button size="small" needsContact isBusy={isBusy} data-testid={`gpu-locate-${index}`} onClick={locate}>
            {t('ui.gpus.locateAction')}
          </Button>
          <span role="status" className={styles.hint}>
            {run === null ? '' : ` ${t('ui.gpus.locateRuns', { time: format.text('duration', run.runsMs / 1000) })}`}
          </span>
          {failure !== '' && (
            <span role="alert" className={styles.failure}>
              {failure}
            </span>
          )}
        </>
      )}
    </Fact>
  )
}
