// The fleet on a phone: what needs attention first, worst on top; the rest is one line away.

import { CircleCheck } from 'lucide-react'
import { useMemo, useState } from 'react'
import { ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { rigViews } from '../../state/preferences'
import styles from './Fleet.module.css'
import { countOf, FIRST_QUERY, matching, type RigFacts, type RigFilter, worstFirst } from './fleet-view'
import { pathOf } from './RigTable'

/** Rows that are rendered: more than anybody scrolls through on a phone; the rest is counted. */
const MAX_SHOWN = 100

export function WorstRigs({ all }: { readonly all: readonly RigFacts[] }) {
  const t = useText()
  const [view, setView] = useState<RigFilter | 'worst'>('worst')
  const worst = useMemo(() => worstFirst(all), [all])
  const shown = view === 'worst' ? worst : matching(all, { ...FIRST_QUERY, filter: view })
  const chips = [
    ['worst', worst.length] as const,
    ...rigViews.filter((each) => each !== 'all').map((each) => [each, countOf(all, each)] as const),
    ['all', all.length] as const,
  ]
  return (
    <section className={styles.worst} aria-label={t('ui.rigs.view.worst')} data-testid="rigs-worst">
      <div className={styles.chips}>
        {chips.map(([name, count]) => (
          <button
            key={name}
            type="button"
            className={styles.chip}
            aria-pressed={view === name}
            data-testid={`rig-view-${name}`}
            onClick={() => setView(name)}
          >
            {t(`ui.rigs.view.${name}`)}
            <span className={styles.count}>{count}</span>
          </button>
        ))}
      </div>
      <ul>
        {shown.slice(0, MAX_SHOWN).map((facts) => (
          <Line key={facts.rig.name} facts={facts} />
        ))}
      </ul>
      {shown.length > MAX_SHOWN && (
        <p className={styles.faint}>{t('ui.rigs.awayMore', { count: shown.length - MAX_SHOWN })}</p>
      )}
      {view === 'worst' && (
        <p className={styles.ok}>
          <span className={styles.state}>
            <CircleCheck aria-hidden="true" />
            {t('ui.rigs.fine', { count: all.length - worst.length })}
          </span>
        </p>
      )}
    </section>
  )
}

function Line({ facts }: { readonly facts: RigFacts }) {
  const t = useText()
  const format = useFormat()
  const { rig, state, rate, hottest, usual, heat } = facts
  const level =
    state === 'offline' || state === 'stopped' || heat === 'danger' ? 'danger' : state === 'online' ? 'ok' : 'warn'
  const share = usual === null ? null : format.text('wholePercent', 100 * usual)
  return (
    <li data-testid={`rig-${rig.name}`} data-state={rig.online ? 'online' : 'offline'} data-level={level}>
      <a href={hrefOf(pathOf(rig))}>
        <i />
        <b>
          <ForeignText text={rig.name} />
        </b>
        <span className={level === 'danger' ? styles.danger : undefined}>
          {rig.online ? format.text('hashrate', rate) : t('ui.rigs.offline')}
        </span>
        <small>
          <Why facts={facts} />
        </small>
        <em>{rig.online ? (share ?? format.text('celsius', hottest)) : facts.model}</em>
      </a>
    </li>
  )
}

/** What is wrong, in a few words. */
function Why({ facts }: { readonly facts: RigFacts }) {
  const t = useText()
  const format = useFormat()
  const { rig, state, stopped, hottest, usual, group, model } = facts
  if (!rig.online) {
    const age =
      rig.ageSeconds === null ? t('ui.rigs.never') : t('ui.rigs.lastSeen', { age: format.age(rig.ageSeconds * 1000) })
    return <ForeignText text={rig.error === '' ? age : `${age}: ${rig.error}`} />
  }
  if (state === 'stopped') return t('ui.rigs.countStopped', { count: stopped })
  if (state === 'slow') return t('ui.rigs.slowBy', { share: format.text('wholePercent', 100 * (usual ?? 0)) })
  if (state === 'hot') return t('ui.rigs.hotAt', { celsius: format.text('celsius', hottest) })
  if (state === 'paused') return t('ui.rigs.paused', { paused: facts.gpus, count: facts.gpus })
  return <ForeignText text={[group, model].filter((text) => text !== '').join(', ')} />
}
