// The computer beside the form: which devices can mine, how fast they are at the main network's size, and what that means
// for the wait. The practice network's rates would be those of a miniature, so none is shown.

import { CircleCheck, OctagonAlert } from 'lucide-react'
import type { MeasurementView } from '../../../../contract/miner'
import { Card, Fact, Facts } from '../../components/layout/Card'
import { ForeignText } from '../../components/values/HexText'
import { useLanguage, useText } from '../../i18n/text'
import { useAttempt, useCall } from '../../state/answers/use-answer'
import { expectedSeconds, WAITS } from '../../state/earnings/earnings'
import { useApp, useEnvironment, useMiner, useNode } from '../../state/environment'
import type { Plan } from '../../state/welcome-plan'
import { Button } from '../../widgets/controls/Button'
import { Value } from '../../widgets/facts/Value'
import styles from './Welcome.module.css'

const RUNNING: readonly MeasurementView['kind'][] = ['preparing', 'measuring']

export function Computer({ plan }: { readonly plan: Plan }) {
  const t = useText()
  return (
    <Card title={t('ui.welcome.computer')}>
      <Measurement />
      {plan.work === 'solo' && <Waiting network={plan.network} />}
    </Card>
  )
}

function Measurement() {
  const t = useText()
  const present = useMiner((state) => state.devices?.devices ?? null)
  const { measurement, reason, run } = useMeasurement()
  const tested = measurement?.devices ?? []
  const devices = tested.length > 0 ? tested : (present ?? []).map((device) => ({ ...device, hashrate: null }))
  if (devices.length === 0) return <p className={styles.text}>{t('ui.gpus.noneText')}</p>
  const isRunning = measurement !== null && RUNNING.includes(measurement.kind)
  return (
    <>
      <ul className={styles.devices}>
        {devices.map((device) => (
          <li
            key={device.index}
            data-testid={`welcome-device-${device.index}`}
            data-level={device.state === 'error' ? 'danger' : 'ok'}
          >
            {device.state === 'error' ? <OctagonAlert aria-hidden="true" /> : <CircleCheck aria-hidden="true" />}
            <ForeignText text={device.name} />
            <span className={styles.text}>
              {device.hashrate === null ? (
                <DeviceState device={device} />
              ) : (
                <Value kind="hashrate" value={device.hashrate} />
              )}
            </span>
          </li>
        ))}
      </ul>
      <p
        className={styles.text}
        role="status"
        data-testid="welcome-measurement"
        data-state={measurement?.kind ?? 'none'}
      >
        {reason === '' ? <Progress measurement={measurement} /> : <ForeignText text={reason} />}
      </p>
      <Button needsContact data-testid="welcome-benchmark" onClick={() => run(!isRunning)}>
        {t(isRunning ? 'ui.welcome.measureStop' : 'ui.welcome.measure')}
      </Button>
      <p className={styles.text}>{t('ui.welcome.devicesText')}</p>
    </>
  )
}

function DeviceState({
  device,
}: {
  readonly device: Pick<MeasurementView['devices'][number], 'state' | 'progress' | 'error'>
}) {
  const { t, format } = useLanguage()
  const { state, progress, error } = device
  return (
    <>
      {t(`ui.gpuState.${state}`)}
      {progress !== null && ` ${format.text('wholePercent', Math.floor(100 * progress))}`}
      {error !== '' && (
        <>
          {': '}
          <ForeignText text={error} />
        </>
      )}
    </>
  )
}

function Progress({ measurement }: { readonly measurement: MeasurementView | null }) {
  const { t, format } = useLanguage()
  if (measurement === null) return null
  const { kind, secondsLeft, hashrate, incomePerDay, reason } = measurement
  if (kind === 'none') return null
  if (kind === 'preparing') return t('ui.welcome.measurePreparing')
  if (kind === 'measuring') return t('ui.welcome.measureLeft', { seconds: secondsLeft ?? 0 })
  if (kind === 'failed' || hashrate === null)
    return (
      <>
        {t('ui.welcome.measureFailed')} <ForeignText text={reason} />
      </>
    )
  const amount =
    incomePerDay.value === null
      ? t(`ui.money.missing.${incomePerDay.missing}`)
      : format.laxExact(BigInt(incomePerDay.value))
  return (
    <>
      {t('ui.welcome.measureDone', { hashrate: format.text('hashrate', hashrate) })} {t('ui.money.perDay', { amount })}
    </>
  )
}
/** The difficulty of another network is unknown until its headers arrive. */
function Waiting({ network }: Pick<Plan, 'network'>) {
  const t = useText()
  const isHere = useApp((state) => state.info?.network === network)
  const difficulty = useNode((state) => state.head?.nextDifficulty ?? null)
  const hashrate = useMiner((state) => state.status?.hashrate.s60 ?? state.status?.hashrate.now ?? null)
  if (!isHere) return <p className={styles.text}>{t('ui.welcome.waitUnknown')}</p>
  const mean = expectedSeconds(difficulty === null ? null : Number(difficulty), hashrate)
  const waits = [
    ['ui.overview.blockEvery', 1],
    ['ui.welcome.wait10', WAITS[0]],
    ['ui.welcome.wait50', WAITS[1]],
    ['ui.welcome.wait90', WAITS[2]],
  ] as const
  return (
    <Facts>
      {waits.map(([label, factor]) => (
        <Fact key={label} label={t(label)}>
          <Value kind="duration" value={mean === null ? null : Math.max(1, mean * factor)} />
        </Fact>
      ))}
    </Facts>
  )
}

const FOLLOW_MS = 1_000

function useMeasurement() {
  const { backend } = useEnvironment()
  const { failure, run: attempt } = useAttempt()
  const { value, reason, replace } = useCall('miner.measurement', {}, { everyMs: FOLLOW_MS })
  const run = (isWanted: boolean): void =>
    attempt(async () => replace(await backend.call('miner.measure', { run: isWanted })))
  return { measurement: value, reason: failure || reason, run }
}
