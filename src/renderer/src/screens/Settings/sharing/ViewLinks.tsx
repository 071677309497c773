// View-only links: which exist, until when, and who is using them now.
import { useState } from 'react'
import type { ResultOf } from '../../../../../base/wire/define'
import type { PlaceView } from '../../../../../contract/app'
import type { Contract } from '../../../../../contract/contract'
import type { LinkLifetime, ViewLink } from '../../../../../contract/view-links'
import { Choice } from '../../../components/forms/Choice'
import { TextField } from '../../../components/forms/TextField'
import { Card } from '../../../components/layout/Card'
import dialog from '../../../components/layout/Dialog.module.css'
import { DialogModal } from '../../../components/layout/Modal'
import { useLanguage, useText } from '../../../i18n/text'
import { useAttempt, useCall } from '../../../state/answers/use-answer'
import { useApp, useCanControl, useEnvironment, useNow } from '../../../state/environment'
import { Button, Failure } from '../../../widgets/controls/Button'
import { ConfirmDialog } from '../../../widgets/controls/ConfirmDialog'
import { Switch } from '../Setting'
import styles from '../Settings.module.css'
import { ShownOnce } from './ShownOnce'

type Answer = ResultOf<Contract, 'app.viewLinks'>

/** Hidden from those who may only read. */
export function ViewLinks() {
  return useCanControl() ? <LinkCard /> : null
}

function LinkCard() {
  const t = useText()
  const { backend } = useEnvironment()
  const { value: answer, reason, retry } = useCall('app.viewLinks', {})
  const { failure, run } = useAttempt()
  const place = useCall('app.place', {}).value
  const api = useApp((state) => state.info?.endpoints.api ?? null)
  const [isMaking, setMaking] = useState(false)
  const origins = linkOrigins({ api, place, page: window.location })
  const obstacle = answer?.obstacle ?? ''
  const revoke = (id: string): void =>
    run(async () => {
      await backend.call('app.viewLinkRevoke', { id })
      await retry()
    })
  return (
    <Card title={t('ui.settings.links')} testId="view-links">
      <p>{t('ui.settings.linksText')}</p>
      {obstacle !== '' && <p className={styles.danger}>{t(`ui.settings.linkObstacle.${obstacle}`)}</p>}
      {obstacle === '' && answer?.isLocalOnly === true && (
        <p className={styles.reason}>{t('ui.settings.linkLocalOnly')}</p>
      )}
      <Failure text={failure === '' ? reason : failure} />
      {answer !== null && <LinkList answer={answer} onRevoke={revoke} />}
      {answer !== null && obstacle === '' && (
        <div>
          <Button data-testid="link-new" needsContact onClick={() => setMaking(true)}>
            {t('ui.settings.linkNew')}
          </Button>
        </div>
      )}
      {isMaking && <ShareDialog origins={origins} onMade={() => void retry()} onClose={() => setMaking(false)} />}
    </Card>
  )
}

interface LinkListProps {
  readonly answer: Answer
  readonly onRevoke: (id: string) => void
}

function LinkList({ answer: { links, watching }, onRevoke }: LinkListProps) {
  const t = useText()
  const now = useNow()
  const [asked, setAsked] = useState<ViewLink | null>(null)
  const valid = links.filter(({ expiresAt }) => expiresAt > now)
  const nameOf = ({ label }: ViewLink): string => (label === '' ? t('ui.settings.linkUnnamed') : label)
  if (valid.length === 0) return <p className={styles.reason}>{t('ui.settings.linksNone')}</p>
  return (
    <>
      <ul className={styles.linkList}>
        {valid.map((link) => (
          <LinkRow
            key={link.id}
            link={link}
            name={nameOf(link)}
            count={watching.find(({ id }) => id === link.id)?.count ?? 0}
            onEnd={() => setAsked(link)}
          />
        ))}
      </ul>
      {asked !== null && (
        <ConfirmDialog
          title={t('ui.settings.linkEndTitle', { name: nameOf(asked) })}
          action={t('ui.settings.linkEnd')}
          isDanger
          testId="link-end-dialog"
          onConfirm={() => onRevoke(asked.id)}
          onClose={() => setAsked(null)}
        >
          <p>{t('ui.settings.linkEndText')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface LinkRowProps {
  readonly link: ViewLink
  readonly name: string
  readonly count: number
  readonly onEnd: () => void
}

function LinkRow({ link: { id, hides, expiresAt }, name, count, onEnd }: LinkRowProps) {
  const { t, format } = useLanguage()
  const now = useNow()
  return (
    <li className={styles.linkRow} data-testid={`link-${id}`}>
      <div>
        <p className={styles.name}>{name}</p>
        <p className={styles.reason}>
          {[
            t('ui.settings.linkEnds', { duration: format.text('duration', (expiresAt - now) / 1000) }),
            t(hides ? 'ui.settings.linkIsHiding' : 'ui.settings.linkIsPlain'),
            ...(count > 0 ? [t('ui.settings.linkWatching', { count })] : []),
          ].join(' · ')}
        </p>
      </div>
      <Button size="small" needsContact aria-label={t('ui.settings.linkEndOne', { name })} onClick={onEnd}>
        {t('ui.settings.linkEnd')}
      </Button>
    </li>
  )
}

const lifetimes: readonly LinkLifetime[] = ['hour', 'day', 'month']

interface ShareDialogProps {
  /** Where the link may point, most likely first; not empty. */
  readonly origins: readonly string[]
  readonly onMade: () => void
  readonly onClose: () => void
}

function ShareDialog({ origins, onMade, onClose }: ShareDialogProps) {
  const t = useText()
  const [token, setToken] = useState<string | null>(null)
  return (
    <DialogModal
      title={t(token === null ? 'ui.settings.linkMake' : 'ui.settings.link')}
      testId="share-dialog"
      onClose={onClose}
    >
      {token === null ? (
        <LinkForm
          onClose={onClose}
          onMade={(made) => {
            setToken(made)
            onMade()
          }}
        />
      ) : (
        <MadeLink token={token} origins={origins} onClose={onClose} />
      )}
    </DialogModal>
  )
}

function LinkForm({ onMade, onClose }: { readonly onMade: (token: string) => void; readonly onClose: () => void }) {
  const t = useText()
  const { backend } = useEnvironment()
  const [label, setLabel] = useState('')
  const [lifetime, setLifetime] = useState<LinkLifetime>('day')
  const [hides, setHides] = useState(true)
  const { isBusy, failure, run } = useAttempt()
  const make = (): void =>
    run(async () => onMade((await backend.call('app.viewLinkCreate', { label, lifetime, hides })).token))
  return (
    <>
      <p>{t('ui.settings.linkText')}</p>
      <TextField
        label={t('ui.settings.linkLabel')}
        hint={t('ui.settings.linkLabelHint')}
        value={label}
        maxLength={40}
        data-testid="link-label"
        onChange={setLabel}
      />
      <div className={styles.row}>
        <span>{t('ui.settings.linkLifetime')}</span>
        <Choice
          label={t('ui.settings.linkLifetime')}
          value={lifetime}
          options={lifetimes.map((value) => ({ value, label: t(`ui.settings.lifetime.${value}`) }))}
          onChange={setLifetime}
        />
      </div>
      <Switch label={t('ui.settings.linkHides')} isOn={hides} onChange={setHides} />
      <p className={styles.reason}>{t(hides ? 'ui.settings.linkHidesText' : 'ui.settings.linkShowsText')}</p>
      <Failure text={failure} />
      <div className={dialog.actions}>
        <Button onClick={onClose}>{t('ui.common.cancel')}</Button>
        <Button variant="primary" needsContact isBusy={isBusy} data-testid="link-make" onClick={make}>
          {t('ui.settings.linkMake')}
        </Button>
      </div>
    </>
  )
}

interface MadeLinkProps {
  readonly token: string
  readonly origins: readonly string[]
  readonly onClose: () => void
}

function MadeLink({ token, origins, onClose }: MadeLinkProps) {
  const t = useText()
  const [chosen, setChosen] = useState(origins[0] ?? '')
  return (
    <>
      {origins.length > 1 && (
        <label className={styles.select}>
          <span>{t('ui.settings.linkAddress')}</span>
          <select
            className={styles.input}
            value={chosen}
            data-testid="link-address"
            onChange={(event) => setChosen(event.target.value)}
          >
            {origins.map((origin) => (
              <option key={origin} value={origin}>
                {origin}
              </option>
            ))}
          </select>
        </label>
      )}
      <ShownOnce text={linkOf(chosen, token)} label={t('ui.settings.link')} hasCode testId="link-text" />
      <div className={dialog.actions}>
        <Button variant="primary" onClick={onClose}>
          {t('ui.common.close')}
        </Button>
      </div>
    </>
  )
}

interface LinkAddresses {
  /** `host:port` that the program listens on; null = nowhere. */
  readonly api: string | null
  /** Addresses on the home network. */
  readonly place: Pick<PlaceView, 'addresses'> | null
  readonly page: Pick<Location, 'protocol' | 'origin'>
}

/** Origins such as `http://192.0.2.7:3333`, without a trailing slash. */
export function linkOrigins({ api, place, page }: LinkAddresses): readonly string[] {
  const own = page.protocol === 'http:' || page.protocol === 'https:' ? [page.origin] : []
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(api ?? '') ?? []
  if (port === '') return own
  const isEverywhere = host === '0.0.0.0' || host === '[::]'
  const hosts = isEverywhere ? (place?.addresses ?? []) : [host]
  const found = hosts.map((name) => `http://${name}:${port}`)
  // a page opened through a non-local address proves that the address works
  const ordered = isLocal(own[0] ?? '') ? [...found, ...own] : [...own, ...found]
  return [...new Set(ordered)]
}

/** The fragment never reaches a server, a log or a referrer. */
export function linkOf(origin: string, token: string): string {
  return `${origin}/#token=${encodeURIComponent(token)}`
}

function isLocal(origin: string): boolean {
  return /^https?:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|$)/.test(origin)
}
