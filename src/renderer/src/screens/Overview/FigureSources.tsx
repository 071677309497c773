// On request: which devices the figures above consist of, what each adds, and how they are computed.
import { memo, useState } from 'react'
import type { DeviceView } from '../../../../contract/miner'
import { ScrollRegion } from '../../components/layout/ScrollRegion'
import { ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useMiner } from '../../state/environment'
import { efficiencyOf, selectEfficiency, selectMeanWatts } from '../../state/stores/miner-store'
import { Button } from '../../widgets/controls/Button'
import { pauseReasonText } from '../../widgets/facts/pause-reason'
import { Value } from '../../widgets/facts/Value'
import styles from './LossLine.module.css'
import { Shares } from './MinerCards'

export function FigureSources() {
  const t = useText()
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        size="small"
        variant="quiet"
        aria-expanded={isOpen}
        data-testid="sources-show"
        onClick={() => setOpen(!isOpen)}
      >
        {t(isOpen ? 'ui.losses.hide' : 'ui.sources.show')}
      </Button>
      {isOpen && (
        <div className={styles.whole}>
          <Sources />
        </div>
      )}
    </>
  )
}

function Sources() {
  const t = useText()
  const format = useFormat()
  const devices = useMiner((state) => state.devices?.devices ?? NONE)
  const startedAt = useMiner(({ status }) => (status === null ? null : status.takenAt - status.uptimeSeconds * 1000))
  const sum = devices.reduce((total, { hashrate }) => total + (hashrate.s60 ?? 0), 0)
  return (
    <>
      <ScrollRegion className={styles.causes} label={t('ui.sources.title')}>
        <table data-testid="sources">
          <thead>
            <tr>
              <th scope="col">{t('ui.losses.device')}</th>
              <th scope="col">{t('ui.gpus.s60')}</th>
              <th scope="col">{t('ui.sources.share')}</th>
              <th scope="col">{t('ui.gpus.power')}</th>
              <th scope="col">{t('ui.gpus.efficiency')}</th>
              <th scope="col">{t('ui.gpus.shares')}</th>
            </tr>
          </thead>
          <tbody>
            {devices.map((device) => (
              <SourceRow key={device.index} device={device} sum={sum} />
            ))}
          </tbody>
          <tfoot>
            <SumRow sum={sum} />
          </tfoot>
        </table>
      </ScrollRegion>
      {startedAt !== null && <p className={styles.note}>{t('ui.sources.how', { since: format.moment(startedAt) })}</p>}
    </>
  )
}

const NONE: readonly DeviceView[] = []

interface SourceRowProps {
  readonly device: DeviceView
  /** H/s of all devices. */
  readonly sum: number
}

const SourceRow = memo(function SourceRow({ device, sum }: SourceRowProps) {
  const t = useText()
  const { index, name, paused, pauseReasons, hashrate, meanPowerWatts, shares } = device
  const rate = hashrate.s60
  return (
    <tr data-testid={`source-${index}`}>
      <th scope="row">
        {index}{' '}
        <a href={hrefOf(`/gpus/${index}`)}>
          <ForeignText text={name} />
        </a>
        {paused && <span className={styles.note}> {pauseReasonText(pauseReasons, t)}</span>}
      </th>
      <td>
        <Value kind="hashrate" value={rate} />
      </td>
      <td>
        <Value kind="percent" value={rate === null || sum <= 0 ? null : (100 * rate) / sum} />
      </td>
      <td>
        <Value kind="watts" value={meanPowerWatts} />
      </td>
      <td>
        <Value kind="efficiency" value={efficiencyOf(device)} />
      </td>
      <td>
        <Shares {...shares} />
      </td>
    </tr>
  )
})

function SumRow({ sum }: { readonly sum: number }) {
  const t = useText()
  const watts = useMiner(selectMeanWatts)
  const efficiency = useMiner(selectEfficiency)
  const shares = useMiner((state) => state.status?.shares ?? null)
  return (
    <tr data-testid="source-sum">
      <th scope="row">{t('ui.sources.sum')}</th>
      <td>
        <Value kind="hashrate" value={sum} />
      </td>
      <td />
      <td>
        <Value kind="watts" value={watts} />
      </td>
      <td>
        <Value kind="efficiency" value={efficiency} />
      </td>
      <td>{shares !== null && <Shares {...shares} />}</td>
    </tr>
  )
}
