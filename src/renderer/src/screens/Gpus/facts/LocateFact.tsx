// Finds one GPU among others: runs its fans at full speed for a moment, if they can be set.
import { useEffect, useState } from 'react'
import { Fact } from '../../../components/layout/Card'
import { useText } from '../../../i18n/text'
import { useApp, useEnvironment, useMiner } from '../../../state/environment'
import { selectCanControl } from '../../../state/stores/app-store'
import { selectDevice } from '../../../state/stores/miner-store'
import { useTuning } from '../../../state/use-device-facts'
import { Button } from '../../../widgets/controls/Button'
import styles from '../Gpus.module.css'
import { useAttempt } from '../Simulated'

/** How long the fans run. */
const LOCATE_MS = 10_000

/** Renders nothing for a CPU, and for read-only users. */
export function LocateFact({ index }: { readonly index: number }) {
  const t = useText()
  const { backend, clock } = useEnvironment()
  const canControl = useApp(selectCanControl)
  const kind = useMiner((state) => selectDevice(index)(state)?.backend ?? 'cpu')
  const { card } = useTuning(index)
  const { isBusy, failure, attempt } = useAttempt()
  /** Counts the presses that were carried out. */
  const [located, setLocated] = useState(0)
  const [isRunning, setRunning] = useState(false)
  useEffect(() => {
    if (located === 0) return
    setRunning(true)
    const timer = clock.setTimeout(() => setRunning(false), LOCATE_MS)
    return () => timer.dispose()
  }, [located, clock])
  if (kind === 'cpu' || !canControl) return null
  const fan = card?.knobs.find(({ knob }) => knob === 'fan')
  const locate = (): void =>
    void attempt(async () => {
      await backend.call('miner.locate', { device: index })
      setLocated((before) => before + 1)
    })
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
            {isRunning ? ` ${t('ui.gpus.locateRuns')}` : ''}
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
