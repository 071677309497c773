// Under the hashrate: how much mining time was lost and the biggest cause; the other causes on request.
import { useState } from 'react'
import type { HistoryWindow } from '../../../../contract/miner'
import { ScrollRegion } from '../../components/layout/ScrollRegion'
import { ForeignText } from '../../components/values/HexText'
import { type Text, useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import type { Loss, Losses } from '../../state/timeline/losses'
import { useLosses } from '../../state/timeline/use-losses'
import { spanText } from '../../widgets/charts/span-text'
import { Button } from '../../widgets/controls/Button'
import { joinedReasonText } from '../../widgets/facts/pause-reason'
import styles from './LossLine.module.css'

const MAX_ROWS = 30
const MAX_REASONS = 5
/** A smaller share is shown as less than this. */
const MIN_PERCENT = 0.1

/** Renders nothing until it is known. */
export function LossLine({ window: shown }: { readonly window: HistoryWindow }) {
  const t = useText()
  const format = useFormat()
  const losses = useLosses(shown)
  const [isOpen, setOpen] = useState(false)
  if (losses === null || losses.share === null) return <p className={styles.line} />
  const { rows, share, durationMs } = losses
  const duration = format.text('duration', Math.max(1, durationMs / 1000))
  const [worst] = rows
  const hasMore = rows.length > 0 || losses.restarts + losses.failed + losses.refused.length > 0
  const percent = 100 * share
  const amount = `${percent < MIN_PERCENT ? '< ' : ''}${format.text('percent', Math.max(MIN_PERCENT, percent))}`
  return (
    <div data-testid="losses" data-value={share}>
      <p className={styles.line}>
        <span>
          {worst === undefined ? (
            t('ui.losses.none', { duration })
          ) : (
            <ForeignText text={t('ui.losses.sum', { percent: amount, duration, cause: causeText(worst, t) })} />
          )}
        </span>
        {hasMore && (
          <Button
            size="small"
            variant="quiet"
            aria-expanded={isOpen}
            data-testid="losses-why"
            onClick={() => setOpen(!isOpen)}
          >
            {t(isOpen ? 'ui.losses.hide' : 'ui.losses.show')}
          </Button>
        )}
      </p>
      {isOpen && hasMore && <Causes losses={losses} />}
    </div>
  )
}

function Causes({ losses: { rows, restarts, failed, refused } }: { readonly losses: Losses }) {
  const t = useText()
  return (
    <>
      {rows.length > 0 && (
        <ScrollRegion className={styles.causes} label={t('ui.losses.title')}>
          <table data-testid="losses-table">
            <thead>
              <tr>
                <th scope="col">{t('ui.events.what')}</th>
                <th scope="col">{t('ui.losses.device')}</th>
                <th scope="col">{t('ui.chart.time')}</th>
                <th scope="col">{t('ui.losses.cost')}</th>
              </tr>
            </thead>
            <tbody>
              {rows.slice(0, MAX_ROWS).map((row) => (
                <CauseRow key={`${row.kind} ${row.from} ${row.devices.join()}`} row={row} />
              ))}
            </tbody>
          </table>
        </ScrollRegion>
      )}
      {restarts + failed > 0 && <p className={styles.note}>{t('ui.losses.results', { restarts, failed })}</p>}
      {refused.slice(0, MAX_REASONS).map(({ reason, count }) => (
        <p key={reason} className={styles.note} data-testid="losses-refused">
          <ForeignText
            text={t('ui.losses.refused', { count, reason: reason === '' ? t('ui.losses.noReason') : reason })}
          />
        </p>
      ))}
    </>
  )
}

function CauseRow({ row }: { readonly row: Loss }) {
  const t = useText()
  const format = useFormat()
  const { kind, devices, from, to, lostMs } = row
  const [only] = devices
  return (
    <tr data-testid="losses-row" data-state={kind}>
      <th scope="row">
        <ForeignText text={causeText(row, t)} />
      </th>
      <td>
        {devices.length === 1 ? (
          <a href={hrefOf(`/gpus/${only}`)}>{`${t('ui.losses.device')} ${only}`}</a>
        ) : (
          t('ui.losses.many', { count: devices.length })
        )}
      </td>
      <td>{`${format.timeOfDay(from)} – ${to === null ? t('ui.events.still') : format.timeOfDay(to)}`}</td>
      <td>{format.text('duration', Math.max(1, lostMs / 1000))}</td>
    </tr>
  )
}

/** `Overheating; resumes after cooling down`, or the state with its reason. */
function causeText({ kind, reason }: Loss, t: Text): string {
  if (kind === 'paused') return joinedReasonText(reason, t)
  return spanText({ kind, reason }, t)
}
