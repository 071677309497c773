// The one line over every screen: what Headframe does, what is wrong, its pool, node and wallet, and the tools.
import { Bell, Search } from 'lucide-react'
import { type FocusEvent, Suspense, useId } from 'react'
import { lazyPart } from '../../components/lazy-part'
import { useText } from '../../i18n/text'
import { useEnvironment, useMiner, useOperation } from '../../state/environment'
import { selectUnseenCount } from '../../state/incidents'
import { selectAllPaused, selectHashrate } from '../../state/stores/program-store'
import { Button } from '../../widgets/controls/Button'
import { PauseButton } from '../../widgets/controls/PauseButton'
import styles from './StatusBar.module.css'
import { type StatusItem, useLead, useStatusItems } from './status-items'

const RestartDialog = lazyPart(async () => (await import('../../widgets/controls/RestartDialog')).RestartDialog)

export function StatusBar() {
  const t = useText()
  const { items, restart } = useStatusItems()
  return (
    <header className={styles.bar}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms */}
      <div className={styles.items} role="group" aria-label={t('ui.status.label')} onBlur={showFirst}>
        <Lead />
        {items.map((item) => (
          <Item key={item.testId} {...item} />
        ))}
      </div>
      <div className={styles.tools}>
        <SearchButton />
        <IncidentsButton />
        <PauseAll />
      </div>
      <RestartQuestion restart={restart} />
    </header>
  )
}

/** Everything that the bar says beside the lead and the findings, in whole sentences: a narrow bar has no room for it. */
export function StatusList() {
  const t = useText()
  const { items, restart } = useStatusItems()
  return (
    <>
      <ul className={styles.list} aria-label={t('ui.status.label')} data-testid="status-list">
        {items
          .filter(({ isFinding }) => isFinding !== true)
          .map((item) => (
            <li key={item.testId}>
              <ListedItem {...item} />
            </li>
          ))}
      </ul>
      <RestartQuestion restart={restart} />
    </>
  )
}

function RestartQuestion({ restart }: Pick<ReturnType<typeof useStatusItems>, 'restart'>) {
  if (!restart.isAsking) return null
  return (
    <Suspense fallback={null}>
      <RestartDialog onConfirm={restart.confirm} onClose={restart.close} />
    </Suspense>
  )
}

function ListedItem({ tone, icon: Icon, text, extra = null, full = '', href, onPress, isBusy }: StatusItem) {
  const { layers } = useEnvironment().stores
  const words = (
    <>
      {text}
      {extra !== null && <span className={styles.extra}> {extra}</span>}
    </>
  )
  return (
    <>
      <Icon aria-hidden="true" className={tone === 'plain' ? undefined : styles[tone]} />
      <div>
        {href !== undefined && (
          <a href={href} onClick={layers.close}>
            {words}
          </a>
        )}
        {href === undefined && onPress !== undefined && (
          <Button size="small" isBusy={isBusy ?? false} onClick={onPress}>
            {text}
          </Button>
        )}
        {href === undefined && onPress === undefined && <p>{words}</p>}
        {full !== '' && <p className={styles.full}>{full}</p>}
      </div>
    </>
  )
}

/** The focus scrolls to an item without room; without it the first ones are back. */
function showFirst({ currentTarget }: FocusEvent): void {
  currentTarget.scrollTop = 0
}

/** What Headframe does; opens everything that is wrong, in words. */
function Lead() {
  const t = useText()
  const fullId = useId()
  const { layers } = useEnvironment().stores
  const lead = useLead()
  const rate = useMiner(selectHashrate)
  if (lead === null) return <span className={`${styles.item} ${styles.lead}`}>{t('ui.status.connecting')}</span>
  const { tone, text, full, state, since } = lead
  return (
    <button
      type="button"
      className={`${styles.item} ${styles.lead} ${tone === 'warn' || tone === 'danger' ? styles[tone] : ''}`}
      data-testid="health"
      data-state={state}
      data-value={rate ?? ''}
      title={full}
      aria-describedby={fullId}
      onClick={() => layers.open({ kind: 'incidents', id: '' })}
    >
      <i className={styles.dot} data-tone={tone} />
      <span className={styles.words} data-testid={since === null ? undefined : 'offline-bar'}>
        {text}
      </span>
      <span id={fullId} hidden>
        {full}
      </span>
    </button>
  )
}

/** A fact, a link or an action; its whole sentence is its description. */
function Item({ tone, icon: Icon, text, extra = null, full = '', href, onPress, testId, state, isBusy }: StatusItem) {
  const fullId = useId()
  const className = `${styles.item} ${tone === 'plain' ? '' : styles[tone]}`
  const about = {
    'data-testid': testId,
    'data-state': state,
    title: full !== '' ? full : typeof text === 'string' ? text : undefined,
    'aria-describedby': full === '' ? undefined : fullId,
  }
  const content = (
    <>
      <Icon aria-hidden="true" />
      <span className={styles.words}>{text}</span>
      {extra !== null && <span className={styles.extra}>{extra}</span>}
      {full !== '' && (
        <span id={fullId} hidden>
          {full}
        </span>
      )}
    </>
  )
  if (href !== undefined)
    return (
      <a className={className} href={href} {...about}>
        {content}
      </a>
    )
  if (onPress !== undefined)
    return (
      <button type="button" className={className} aria-busy={isBusy || undefined} onClick={onPress} {...about}>
        {content}
      </button>
    )
  return (
    <span className={className} {...about}>
      {content}
    </span>
  )
}

function SearchButton() {
  const t = useText()
  const { layers } = useEnvironment().stores
  return (
    <button
      type="button"
      className={styles.search}
      data-testid="open-palette"
      onClick={() => layers.open({ kind: 'palette' })}
    >
      <Search aria-hidden="true" />
      <span>{t('ui.palette.title')}</span>
      <kbd>{COMMAND} K</kbd>
    </button>
  )
}

/** The name of the key beside the space bar on this computer. */
const COMMAND = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl'

function IncidentsButton() {
  const t = useText()
  const { layers } = useEnvironment().stores
  const count = useOperation(selectUnseenCount)
  return (
    <button
      type="button"
      className={styles.bell}
      data-testid="open-incidents"
      aria-label={t('ui.incidents.open', { count })}
      title={t('ui.incidents.open', { count })}
      onClick={() => layers.open({ kind: 'incidents', id: '' })}
    >
      <Bell aria-hidden="true" />
      {count > 0 && <b aria-hidden="true">{count}</b>}
    </button>
  )
}

function PauseAll() {
  const t = useText()
  const { pauseAll } = useEnvironment().stores
  const isPaused = useMiner(selectAllPaused)
  const canResume = useMiner((state) => state.devices?.devices.some((device) => device.canResume) ?? false)
  const count = useMiner((state) => state.devices?.devices.length ?? 0)
  if (count === 0) return null
  return (
    <PauseButton
      target="all"
      size="normal"
      testId="pause-all"
      name={t('ui.pause.allDevices')}
      isPaused={isPaused}
      canResume={canResume}
      reason={t('ui.pause.seeDevices')}
      onPress={pauseAll.press}
    />
  )
}
