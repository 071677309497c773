// Which devices can mine, and how fast they really are: the mean of what each reported over half a minute.

import { ScrollRegion } from '../../components/layout/ScrollRegion'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useMiner } from '../../state/environment'
import { Button } from '../../widgets/controls/Button'
import { Value } from '../../widgets/facts/Value'
import { BENCHMARK_SECONDS, useBenchmark } from './use-benchmark'
import styles from './Welcome.module.css'

export function DevicesStep() {
  const t = useText()
  const devices = useMiner((state) => state.devices?.devices ?? null)
  const benchmark = useBenchmark()
  if (devices === null || devices.length === 0) return <p>{t('ui.gpus.noneText')}</p>
  const { secondsLeft, means } = benchmark
  return (
    <>
      <p>{t('ui.welcome.devicesText')}</p>
      <ScrollRegion className={styles.scroll} label={t('ui.welcome.step.devices')}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{t('ui.gpus.name')}</th>
              <th scope="col">{t('ui.gpus.state')}</th>
              <th scope="col">{t('ui.gpus.now')}</th>
              <th scope="col">{t('ui.welcome.measured')}</th>
            </tr>
          </thead>
          <tbody>
            {devices.map((device) => (
              <tr key={device.index} data-testid={`welcome-device-${device.index}`}>
                <td>
                  <ForeignText text={device.name} />
                </td>
                <td>{t(`ui.gpuState.${device.state}`)}</td>
                <td>
                  <Value kind="hashrate" value={device.hashrate.now} />
                </td>
                <td>
                  <Value kind="hashrate" value={means.get(device.index) ?? null} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
      <div className={styles.row}>
        <Button needsContact data-testid="welcome-benchmark" isBusy={secondsLeft !== null} onClick={benchmark.start}>
          {secondsLeft === null
            ? t('ui.welcome.benchmark', { seconds: BENCHMARK_SECONDS })
            : t('ui.welcome.benchmarkLeft', { seconds: secondsLeft })}
        </Button>
        <a href={hrefOf('/gpus')}>{t('ui.overview.allDevices')}</a>
      </div>
    </>
  )
}
