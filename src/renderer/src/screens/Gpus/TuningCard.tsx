// Tuning of a device's card: a slider and a field for each knob, what they would change, and the search for the best
// settings.
import { memo, useState } from 'react'
import type { TunedCardView, TuningKnob } from '../../../../contract/miner'
import { Failure } from '../../components/faults/Failure'
import { TextField } from '../../components/forms/TextField'
import { Card } from '../../components/layout/Card'
import { useFormat, useText } from '../../i18n/text'
import { useAttempt } from '../../state/answers/use-attempt'
import { useApp, useEnvironment } from '../../state/environment'
import { selectCanControl } from '../../state/stores/app-store'
import { useTuning } from '../../state/use-device-facts'
import { Button } from '../../widgets/controls/Button'
import { Skeleton } from '../../widgets/facts/States'
import styles from './Gpus.module.css'
import { type Settings, TuningPreview } from './TuningPreview'

type KnobView = TunedCardView['knobs'][number]
type Typed = Readonly<Partial<Record<TuningKnob, string>>>

/** Says so if nothing can be set on the card, or by this person. */
export const TuningCard = memo(function TuningCard({ index }: { readonly index: number }) {
  const t = useText()
  const { backend } = useEnvironment()
  const canControl = useApp(selectCanControl)
  const { card, isKnown, hasTariff, renew } = useTuning(index)
  const [typed, setTyped] = useState<Typed>({})
  const { isBusy, failure, attempt } = useAttempt()
  if (!canControl || !isKnown || card === null || card.knobs.length === 0) {
    return (
      <Card title={t('ui.tuning.title')} testId={`gpu-untuned-${index}`}>
        {!isKnown && canControl ? (
          <Skeleton lines={2} />
        ) : (
          <p className={styles.hint}>{t(canControl ? 'ui.tuning.none' : 'ui.tuning.viewOnly')}</p>
        )}
      </Card>
    )
  }
  const run = (work: () => Promise<unknown>): void =>
    void attempt(async () => {
      await work()
      setTyped({})
    }, 'ui.tuning.failed').finally(renew)
  return (
    <div className={styles.tuning}>
      <Card title={t('ui.tuning.title')} testId={`gpu-tuning-${index}`}>
        <p className={styles.hint}>{t('ui.tuning.text')}</p>
        {card.knobs.some(({ allowed }) => allowed === false) && (
          <p className={styles.hint}>{t('ui.tuning.noRights')}</p>
        )}
        <KnobForm index={index} card={card} isBusy={isBusy} typed={typed} onType={setTyped} onSend={run} />
        <Search
          index={index}
          search={card.search}
          hasTariff={hasTariff}
          isBusy={isBusy}
          onSearch={(goal) => run(() => backend.call('miner.tuneSearch', { device: index, goal }))}
        />
        <Failure text={failure} />
      </Card>
      <TuningPreview index={index} search={card.search} wanted={wantedOf(card.knobs, typed)} />
    </div>
  )
})

interface KnobFormProps {
  readonly index: number
  readonly card: TunedCardView
  readonly isBusy: boolean
  readonly typed: Typed
  readonly onType: (typed: Typed) => void
  /** Runs a call, then discards what was typed. */
  readonly onSend: (work: () => Promise<unknown>) => void
}

function KnobForm({ index, card, isBusy, typed, onType, onSend }: KnobFormProps) {
  const t = useText()
  const { backend } = useEnvironment()
  const isSearching = card.search?.running === true
  const count = Object.keys(changesOf(card.knobs, typed) ?? {}).length
  const apply = (): void => {
    const settings = changesOf(card.knobs, typed)
    if (settings !== null) onSend(() => backend.call('miner.tune', { device: index, settings }))
  }
  return (
    <form
      className={styles.knobs}
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
    >
      <div className={styles.knobs}>
        {card.knobs.map((view) => (
          <KnobField
            key={view.knob}
            index={index}
            view={view}
            value={typed[view.knob] ?? textOf(view)}
            isOff={isSearching || isBusy}
            onChange={(text) => onType({ ...typed, [view.knob]: text })}
          />
        ))}
      </div>
      {!isSearching && (
        <div className={styles.faults}>
          <Button type="submit" variant="primary" isBusy={isBusy} data-testid={`tuning-apply-${index}`}>
            {count === 0 ? t('ui.tuning.apply') : t('ui.tuning.applyCount', { count })}
          </Button>
          {card.knobs.some(({ isSet }) => isSet) && (
            <Button
              size="small"
              variant="quiet"
              isBusy={isBusy}
              data-testid={`tuning-reset-${index}`}
              onClick={() => onSend(() => backend.call('miner.tuneReset', { device: index }))}
            >
              {t('ui.tuning.reset')}
            </Button>
          )}
        </div>
      )}
    </form>
  )
}

interface KnobFieldProps {
  readonly index: number
  readonly view: KnobView
  readonly value: string
  readonly isOff: boolean
  readonly onChange: (text: string) => void
}

function KnobField({ index, view, value, isOff, onChange }: KnobFieldProps) {
  const t = useText()
  const { knob, least, most, now, usual } = view
  const bounds = { least: Math.round(least), most: Math.round(most) }
  const hint =
    now === null ? t('ui.tuning.range', bounds) : t('ui.tuning.rangeNow', { ...bounds, now: Math.round(now) })
  const setting = settingOf(view, value)
  return (
    <div className={styles.knob}>
      <TextField
        label={t(`ui.tuning.${knob}`)}
        inputMode="numeric"
        maxLength={5}
        value={value}
        disabled={isOff}
        hint={hint}
        error={setting === undefined ? t('ui.tuning.outOfRange', bounds) : ''}
        data-testid={`tuning-${knob}-${index}`}
        onChange={onChange}
      />
      <input
        type="range"
        className={styles.slider}
        aria-label={t(`ui.tuning.${knob}`)}
        min={bounds.least}
        max={bounds.most}
        value={setting ?? Math.round(now ?? usual ?? most)}
        disabled={isOff}
        data-testid={`tuning-slider-${knob}-${index}`}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  )
}

interface SearchProps {
  readonly index: number
  readonly search: TunedCardView['search']
  readonly hasTariff: boolean
  readonly isBusy: boolean
  /** Null ends the search. */
  readonly onSearch: (goal: 'efficiency' | 'margin' | null) => void
}

function Search({ index, search, hasTariff, isBusy, onSearch }: SearchProps) {
  const t = useText()
  const goals = hasTariff ? (['efficiency', 'margin'] as const) : (['efficiency'] as const)
  const words = useSearchWords(search)
  return (
    <div className={styles.knobs}>
      <p className={styles.hint}>{t('ui.tuning.searchText')}</p>
      {words !== '' && (
        <p role="status" data-testid={`tuning-search-${index}`} data-state={search?.running ? 'running' : 'done'}>
          {words}
        </p>
      )}
      <div className={styles.faults}>
        {search?.running === true ? (
          <Button size="small" isBusy={isBusy} data-testid={`tuning-stop-${index}`} onClick={() => onSearch(null)}>
            {t('ui.tuning.stop')}
          </Button>
        ) : (
          goals.map((goal) => (
            <Button
              key={goal}
              size="small"
              isBusy={isBusy}
              data-testid={`tuning-${goal}-${index}`}
              onClick={() => onSearch(goal)}
            >
              {t(`ui.tuning.${goal}`)}
            </Button>
          ))
        )}
      </div>
    </div>
  )
}

/** Progress of a search, or its result; empty without one. */
function useSearchWords(search: TunedCardView['search']): string {
  const t = useText()
  const format = useFormat()
  if (search === null) return ''
  const { goal, running, steps, error } = search
  if (error !== '') return t('ui.tuning.ended', { reason: error })
  if (search.best === null) return running ? t('ui.tuning.searching', { steps }) : ''
  const best = goal === 'efficiency' ? format.text('efficiency', search.best) : format.money(search.best)
  return t(running ? 'ui.tuning.searchingBest' : 'ui.tuning.found', { steps, best })
}

/** The value of an unchanged field. */
function textOf({ isSet, now }: KnobView): string {
  return isSet && now !== null ? String(Math.round(now)) : ''
}

/** Null: left to the card. Undefined: neither empty nor a value that the knob accepts. */
function settingOf({ least, most }: KnobView, text: string): number | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const value = /^\d{1,5}$/.test(trimmed) ? Number(trimmed) : Number.NaN
  return value >= least && value <= most ? value : undefined
}

/** All settings as they would be; a wrong field stays as it is now. */
function wantedOf(knobs: readonly KnobView[], typed: Typed): Settings {
  return Object.fromEntries(
    knobs.map((view) => {
      const setting = settingOf(view, typed[view.knob] ?? textOf(view))
      return [view.knob, setting === undefined ? (settingOf(view, textOf(view)) ?? null) : setting]
    }),
  )
}

/** Typed values that differ from the current ones; null if there are none, or a field is wrong. */
function changesOf(knobs: readonly KnobView[], typed: Typed): Partial<Record<TuningKnob, number | null>> | null {
  const changes: Partial<Record<TuningKnob, number | null>> = {}
  for (const view of knobs) {
    const text = typed[view.knob]
    if (text === undefined || text.trim() === textOf(view)) continue
    const value = settingOf(view, text)
    if (value === undefined) return null
    changes[view.knob] = value
  }
  return Object.keys(changes).length === 0 ? null : changes
}
