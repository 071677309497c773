// Which devices can mine, and how fast they are at the main network's size. The practice network's rates would be those of a
// miniature, so none is shown.

import type { MeasurementView } from '../../../../contract/miner'
import { ScrollRegion } from '../../components/layout/ScrollRegion'
import { ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useMiner } from '../../state/environment'
import { Button } from '../../widgets/controls/Button'
import { Value } from '../../widgets/facts/Value'
import { useMeasurement } from './use-measurement'
import styles from './Welcome.module.css'

const RUNNING: readonly MeasurementView['kind'][] = ['preparing', 'measuring']

export function DevicesStep() {
  const t = useText()
  const present = useMiner((state) => state.devices?.devices ?? null)
  const { measurement, reason, run } = useMeasurement()
  const tested = measurement?.devices ?? []
  const devices = tested.length > 0 ? tested : (present ?? []).map((device) => ({ ...device, hashrate: null }))
  if (devices.length === 0) return <p>{t('ui.gpus.noneText')}</p>
  const isRunning = measurement !== null && RUNNING.includes(measurement.kind)
  return (
    <>
      <p>{t('ui.welcome.devicesText')}</p>
      <ScrollRegion className={styles.scroll} label={t('ui.welcome.step.devices')}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('ui.gpus.name')}</th>
              <th scope="col">{t('ui.gpus.state')}</th>
              <th scope="col">{t('ui.welcome.measured')}</th>
            </tr>
          </thead>
          <tbody>
            {devices.map((device) => (
              <tr key={device.index} data-testid={`welcome-device-${device.index}`}>
                <td>
                  <ForeignText text={device.name} />
                </td>
                <td>
                  <DeviceState device={device} />
                </td>
                <td>
                  <Value kind="hashrate" value={device.hashrate} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <p role="status" data-testid="welcome-measurement" data-state={measurement?.kind ?? 'none'}>
        {reason === '' ? <Progress measurement={measurement} /> : <ForeignText text={reason} />}
      </p>
      <div className={styles.row}>
        <Button needsContact data-testid="welcome-benchmark" onClick={() => run(!isRunning)}>
          {t(isRunning ? 'ui.welcome.measureStop' : 'ui.welcome.measure')}
        </Button>
        <a href={hrefOf('/gpus')}>{t('ui.overview.allDevices')}</a>
      </div>
    </>
  )
}

function DeviceState({
  device,
}: {
  readonly device: Pick<MeasurementView['devices'][number], 'state' | 'progress' | 'error'>
}) {
  const t = useText()
  const format = useFormat()
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

/** What it does, or what it found. */
function Progress({ measurement }: { readonly measurement: MeasurementView | null }) {
  const t = useText()
  const format = useFormat()
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
