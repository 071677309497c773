// What rarely changes about a device: its driver, its memory compared with what the epochs need, and when heat pauses
// it.
import { memo, useEffect, useState } from 'react'
import type { DeviceDetailsView } from '../../../../../contract/miner'
import { Failure } from '../../../components/faults/Failure'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { copyText } from '../../../components/values/copy-text'
import { ForeignText } from '../../../components/values/HexText'
import type { NumberKind } from '../../../format/formatter'
import { useFormat, useText } from '../../../i18n/text'
import { useAttempt } from '../../../state/answers/use-attempt'
import { useApp, useEnvironment, useMiner } from '../../../state/environment'
import { selectCanControl } from '../../../state/stores/app-store'
import { selectDevice } from '../../../state/stores/miner-store'
import { useInventory, useTuning } from '../../../state/use-device-facts'
import { Button } from '../../../widgets/controls/Button'
import styles from '../Gpus.module.css'

/** Renders nothing until it is known. */
export const DeviceFacts = memo(function DeviceFacts({ index }: { readonly index: number }) {
  const t = useText()
  const details = useInventory()?.devices[index]
  if (details === undefined) return null
  return (
    <Card
      title={t('ui.gpus.device')}
      testId={`gpu-facts-${index}`}
      aside={<CopyDiagnosis index={index} details={details} />}
    >
      <Facts>
        {details.driver !== '' && (
          <Fact label={t('ui.gpus.driver')}>
            <ForeignText text={details.driver} />
          </Fact>
        )}
        <NumberFacts details={details} />
        <PlanFacts details={details} />
        <LimitFacts details={details} />
        <LocateFact index={index} />
      </Facts>
      {details.lastEpoch === null && details.memoryBytes !== null && (
        <p className={styles.hint}>{t('ui.gpus.tooSmall')}</p>
      )}
    </Card>
  )
})

function NumberFacts({ details }: { readonly details: DeviceDetailsView }) {
  const t = useText()
  const format = useFormat()
  const epoch = details.epoch ?? 0
  const figures: readonly (readonly [string, NumberKind, number | null])[] = [
    [t('ui.gpus.deviceMemory'), 'bytes', details.memoryBytes],
    [t('ui.gpus.epochNow', { epoch }), 'bytes', details.neededBytes],
    [t('ui.gpus.epochNext', { epoch: epoch + 1 }), 'bytes', details.nextNeededBytes],
    [t('ui.gpus.lastEpoch'), 'count', details.lastEpoch],
    [t('ui.gpus.buildTime'), 'duration', details.buildSeconds],
  ]
  return figures.map(
    ([label, kind, value]) =>
      value !== null && (
        <Fact key={label} label={label}>
          {format.text(kind, kind === 'duration' ? Math.max(1, Math.round(value)) : value)}
        </Fact>
      ),
  )
}

/**
 * When epochs change, at the chain's pace: the next one with how long it takes, and the one that no longer fits into
 * memory.
 */
function PlanFacts({
  details: { nextChangeAt, changeSeconds, memoryFullAt },
}: {
  readonly details: DeviceDetailsView
}) {
  const t = useText()
  const format = useFormat()
  const costs = (seconds: number): string =>
    seconds === 0 ? t('ui.gpus.changeFree') : format.text('duration', Math.max(1, Math.round(seconds)))
  return (
    <>
      {nextChangeAt !== null && (
        <Fact label={t('ui.gpus.nextChange')}>{t('ui.gpus.about', { time: format.moment(nextChangeAt) })}</Fact>
      )}
      {changeSeconds !== null && <Fact label={t('ui.gpus.changeCosts')}>{costs(changeSeconds)}</Fact>}
      {memoryFullAt !== null && (
        <Fact label={t('ui.gpus.memoryFull')}>{t('ui.gpus.about', { time: format.date(memoryFullAt) })}</Fact>
      )}
    </>
  )
}

function LimitFacts({ details: { temperatureLimits: limits, launch } }: { readonly details: DeviceDetailsView }) {
  const t = useText()
  const format = useFormat()
  const bounds = limits && { stop: format.text('celsius', limits.stop), start: format.text('celsius', limits.start) }
  return (
    <>
      <Fact label={t('ui.gpus.heatPause')}>
        {bounds === null ? t('ui.gpus.noHeatPause') : t('ui.gpus.heatPauseAt', bounds)}
      </Fact>
      {launch !== null && (
        <Fact label={t('ui.gpus.launch')}>
          {t('ui.gpus.launchOf', { batch: launch.batchHashes, group: launch.groupSize })}
        </Fact>
      )}
    </>
  )
}

interface CopyDiagnosisProps {
  readonly index: number
  readonly details: DeviceDetailsView
}

/**
 * Everything currently known about the device, as text for a support request. Contains nothing about pools or accounts.
 */
function CopyDiagnosis({ index, details }: CopyDiagnosisProps) {
  const t = useText()
  const { stores, backend } = useEnvironment()
  const [end, setEnd] = useState<'copied' | 'failed' | null>(null)
  const copy = async (): Promise<boolean> => {
    const { failed } = await backend.call('miner.solutions', { device: index }).catch(() => ({ failed: null }))
    const info = stores.app.getState().info
    const program = info && { version: info.version, engine: info.engine }
    const device = selectDevice(index)(stores.miner.getState())
    return copyText(JSON.stringify({ program, device, details, failed }, null, 2))
  }
  const press = (): void => void copy().then((isCopied) => setEnd(isCopied ? 'copied' : 'failed'))
  return (
    <>
      <Button size="small" variant="quiet" onClick={press} data-testid={`gpu-diagnosis-${index}`}>
        {t('ui.gpus.copyDiagnosis')}
      </Button>
      <span className="visually-hidden" role="status">
        {end === null ? '' : t(end === 'copied' ? 'ui.settings.copied' : 'ui.gpus.notCopied')}
      </span>
      {end !== null && (
        <span className={styles.hint} aria-hidden="true">
          {t(end === 'copied' ? 'ui.settings.copied' : 'ui.gpus.notCopied')}
        </span>
      )}
    </>
  )
}

/** Renders nothing for a CPU, and for read-only users. */
function LocateFact({ index }: { readonly index: number }) {
  const t = useText()
  const format = useFormat()
  const { backend, clock } = useEnvironment()
  const canControl = useApp(selectCanControl)
  const kind = useMiner((state) => selectDevice(index)(state)?.backend ?? 'cpu')
  const { card } = useTuning(index)
  const { isBusy, failure, run: attempt } = useAttempt()
  /** For how long the fans run, a new object for each press; null while they don't. */
  const [run, setRun] = useState<{ readonly runsMs: number } | null>(null)
  useEffect(() => {
    if (run === null) return
    const timer = clock.setTimeout(() => setRun(null), run.runsMs)
    return () => timer.dispose()
  }, [run, clock])
  if (kind === 'cpu' || !canControl) return null
  const fan = card?.knobs.find(({ knob }) => knob === 'fan')
  const locate = (): void => attempt(async () => setRun(await backend.call('miner.locate', { device: index })))
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
          <Failure text={failure} />
        </>
      )}
    </Fact>
  )
}
