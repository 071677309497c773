// One rig's GPUs as it told them last. Read only: commands go through the list of rigs.
import { ArrowLeft, Server } from 'lucide-react'
import type { RigFiguresView, RigView } from '../../../../contract/fleet'
import { hrefOf } from '../../app/router'
import { Card, Fact, Facts } from '../../components/Card'
import { ForeignText } from '../../components/HexText'
import { ScrollRegion } from '../../components/ScrollRegion'
import { EmptyState, Skeleton } from '../../components/States'
import table from '../../components/Table.module.css'
import { Value } from '../../components/Value'
import { useFormat, useText } from '../../i18n/text'
import { useFleet } from '../../state/environment'
import { efficiencyOfRig, hottestOfRig, selectRig } from '../../state/fleet-store'
import { Shares } from '../Overview/MinerCards'
import { Screen } from '../Screen'
import styles from './Rigs.module.css'
import { RigState } from './RigTable'

export function RigDetail({ name }: { readonly name: string }) {
  const t = useText()
  const rig = useFleet(selectRig(name))
  const isKnown = useFleet((state) => state.rigs !== null)
  return (
    <>
      <a className={styles.back} href={hrefOf('/rigs')}>
        <ArrowLeft aria-hidden="true" />
        {t('ui.nav.rigs')}
      </a>
      {!isKnown && <Skeleton lines={6} />}
      {isKnown && rig === undefined && <EmptyState icon={Server} title={t('ui.rigs.noSuch', { name })} />}
      {rig !== undefined && (
        <Screen title={<ForeignText text={rig.name} />}>
          <RigCard rig={rig} />
          {rig.figures === null ? (
            <EmptyState icon={Server} title={t('ui.rigs.noFigures')} />
          ) : (
            <Card title={t('ui.rigs.gpus')} isFlush>
              <GpuTable figures={rig.figures} isOnline={rig.online} />
            </Card>
          )}
        </Screen>
      )}
    </>
  )
}

function RigCard({ rig }: { readonly rig: RigView }) {
  const t = useText()
  const format = useFormat()
  const { figures } = rig
  return (
    <Card title={t('ui.rigs.name')}>
      <div>
        <RigState rig={rig} />
      </div>
      <Facts>
        <Fact label={t('ui.node.listenAddress')}>
          <code>
            <ForeignText text={rig.host === '' ? t('ui.rigs.thisRig') : rig.host} />
          </code>
        </Fact>
        {figures !== null && (
          <>
            <Fact label={t('ui.gpus.s60')}>
              <Value kind="hashrate" value={figures.hashrate.s60} />
            </Fact>
            <Fact label={t('ui.gpus.power')}>
              <Value kind="watts" value={figures.powerWatts > 0 ? figures.powerWatts : null} />
            </Fact>
            <Fact label={t('ui.rigs.efficiency')}>
              <Value kind="efficiency" value={efficiencyOfRig(rig)} />
            </Fact>
            <Fact label={t('ui.rigs.hottest')}>
              <Value kind="celsius" value={hottestOfRig(rig)} />
            </Fact>
            <Fact label={t('ui.rigs.pool')}>
              <ForeignText text={figures.pool.host} />
            </Fact>
            <Fact label={t('ui.rigs.uptime')}>{format.text('duration', figures.uptimeSeconds)}</Fact>
            <Fact label={t('ui.rigs.version')}>
              <ForeignText text={figures.version} />
            </Fact>
            <Fact label={t('ui.rigs.takesControl')}>{t(figures.control ? 'ui.rigs.yes' : 'ui.rigs.no')}</Fact>
          </>
        )}
      </Facts>
    </Card>
  )
}

/** The public API says 0 for a sensor that is not reported. */
const known = (value: number): number | null => (value > 0 ? value : null)

function GpuTable({ figures, isOnline }: { readonly figures: RigFiguresView; readonly isOnline: boolean }) {
  const t = useText()
  const headings = ['s60', 'shares', 'core', 'hotspot', 'memory', 'fan', 'power'] as const
  return (
    <ScrollRegion className={table.scroll} label={t('ui.rigs.gpus')}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t('ui.rigs.device')}</th>
            <th scope="col">{t('ui.gpus.state')}</th>
            {headings.map((name) => (
              <th key={name} scope="col" className={table.number}>
                {t(`ui.gpus.${name}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {figures.gpus.map((gpu, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a device's place in the list is its name
            <GpuRow key={index} gpu={gpu} isOnline={isOnline} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

interface GpuRowProps {
  readonly gpu: RigFiguresView['gpus'][number]
  readonly isOnline: boolean
}

function GpuRow({ gpu, isOnline }: GpuRowProps) {
  const t = useText()
  return (
    <tr className={isOnline ? '' : styles.off}>
      <th scope="row">
        <ForeignText text={gpu.name} />
        <span className={styles.sub}>
          <ForeignText text={[gpu.backend, gpu.pci].filter((part) => part !== '').join(' · ')} />
        </span>
      </th>
      <td className={styles.pool}>
        {t(gpu.paused ? 'ui.gpuState.paused' : gpu.hashrate.now > 0 ? 'ui.gpuState.mining' : 'ui.gpuState.waiting')}
        {gpu.pauseReason !== '' && (
          <span className={styles.sub}>
            <ForeignText text={gpu.pauseReason} />
          </span>
        )}
      </td>
      <td className={table.number}>
        <Value kind="hashrate" value={gpu.hashrate.s60} />
      </td>
      <td className={table.number}>
        <Shares {...gpu.shares} />
      </td>
      <td className={table.number}>
        <Value kind="celsius" value={known(gpu.temperature.core)} />
      </td>
      <td className={table.number}>
        <Value kind="celsius" value={known(gpu.temperature.hotspot)} />
      </td>
      <td className={table.number}>
        <Value kind="celsius" value={known(gpu.temperature.memory)} />
      </td>
      <td className={table.number}>
        <Value kind="fan" value={known(gpu.fanPercent)} />
      </td>
      <td className={table.number}>
        <Value kind="watts" value={known(gpu.powerWatts)} />
      </td>
    </tr>
  )
}
