// A device's results: wrong ones that the CPU found, with the details to investigate them, and its last shares.
import { memo, useState } from 'react'
import type { SolutionsView } from '../../../../contract/miner'
import { Card } from '../../components/layout/Card'
import { ScrollRegion } from '../../components/layout/ScrollRegion'
import { ForeignText } from '../../components/values/HexText'
import { type TextKey, useFormat, useText } from '../../i18n/text'
import { useSolutions } from '../../state/use-device-facts'
import { Button } from '../../widgets/controls/Button'
import styles from './Gpus.module.css'

type Outcome = SolutionsView['shares'][number]['outcome']

const outcomes: Readonly<Record<Outcome, TextKey>> = {
  accepted: 'ui.events.accepted',
  rejected: 'ui.events.rejected',
  failed: 'ui.events.failed',
  stale: 'ui.gpus.stale',
  lost: 'ui.gpus.lost',
}

/** Renders nothing until it is known. */
export const Solutions = memo(function Solutions({ index }: { readonly index: number }) {
  const t = useText()
  const view = useSolutions(index)
  const [hasShares, setShares] = useState(false)
  if (view === null) return null
  return (
    <Card
      title={t('ui.gpus.solutions')}
      testId={`gpu-solutions-${index}`}
      aside={
        view.shares.length > 0 && (
          <Button size="small" variant="quiet" aria-expanded={hasShares} onClick={() => setShares(!hasShares)}>
            {t(hasShares ? 'ui.gpus.hideShares' : 'ui.gpus.showShares', { count: view.shares.length })}
          </Button>
        )
      }
    >
      {view.failed.length === 0 ? (
        <p className={styles.hint}>{t('ui.gpus.noneFailed')}</p>
      ) : (
        <>
          <p>{t('ui.gpus.failedText', { count: view.failed.length })}</p>
          <FailedTable index={index} failed={view.failed} />
        </>
      )}
      {hasShares && <ShareTable index={index} shares={view.shares} />}
    </Card>
  )
})

function FailedTable({ index, failed }: { readonly index: number; readonly failed: SolutionsView['failed'] }) {
  const t = useText()
  const format = useFormat()
  return (
    <ScrollRegion className={styles.log} label={t('ui.gpus.failedLog')}>
      <table data-testid={`gpu-failed-${index}`}>
        <thead>
          <tr>
            <th scope="col">{t('ui.chart.time')}</th>
            <th scope="col">{t('ui.gpus.epoch')}</th>
            <th scope="col">{t('ui.gpus.nonce')}</th>
          </tr>
        </thead>
        <tbody>
          {failed.map(({ at, epoch, nonce }) => (
            <tr key={`${at} ${nonce}`}>
              <th scope="row" title={format.instant(at)}>
                {format.timeOfDay(at)}
              </th>
              <td>{format.text('count', epoch)}</td>
              <td>
                <bdi>0x{nonce}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function ShareTable({ index, shares }: { readonly index: number; readonly shares: SolutionsView['shares'] }) {
  const t = useText()
  const format = useFormat()
  return (
    <ScrollRegion className={styles.log} label={t('ui.gpus.shareHistory')}>
      <table data-testid={`gpu-shares-${index}`}>
        <thead>
          <tr>
            <th scope="col">{t('ui.chart.time')}</th>
            <th scope="col">{t('ui.gpus.outcome')}</th>
            <th scope="col">{t('ui.gpus.jobDifficulty')}</th>
            <th scope="col">{t('ui.gpus.ownDifficulty')}</th>
            <th scope="col">{t('ui.gpus.answer')}</th>
          </tr>
        </thead>
        <tbody>
          {shares.map(({ at, outcome, jobDifficulty, ownDifficulty, latencyMs, reason }, position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two shares of one millisecond have no other identity
            <tr key={`${at} ${position}`} data-state={outcome}>
              <th scope="row" title={format.instant(at)}>
                {format.timeOfDay(at)}
              </th>
              <td>
                {t(outcomes[outcome])}
                {reason !== '' && (
                  <span className={styles.sub}>
                    <ForeignText text={reason} />
                  </span>
                )}
              </td>
              <td>{format.text('difficulty', jobDifficulty)}</td>
              <td>{format.text('difficulty', ownDifficulty)}</td>
              <td>{latencyMs === null ? '' : t('ui.gpus.milliseconds', { count: Math.round(latencyMs) })}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
