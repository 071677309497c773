// View-only links: which exist, until when, and who is using them now.
import { useCallback, useState } from 'react'
import type { ResultOf } from '../../../../../base/wire/define'
import type { Contract } from '../../../../../contract/contract'
import type { ViewLink } from '../../../../../contract/view-links'
import { Failure } from '../../../components/faults/Failure'
import { Card } from '../../../components/layout/Card'
import { useFormat, useText } from '../../../i18n/text'
import { useAnswer } from '../../../state/answers/use-answer'
import { useAttempt } from '../../../state/answers/use-attempt'
import { usePlace } from '../../../state/answers/use-place'
import { useApp, useEnvironment, useNow } from '../../../state/environment'
import { selectCanControl } from '../../../state/stores/app-store'
import { Button } from '../../../widgets/controls/Button'
import { ConfirmDialog } from '../../../widgets/controls/ConfirmDialog'
import styles from '../Settings.module.css'
import { linkOrigins } from './link-address'
import { ShareDialog } from './ShareDialog'

type Answer = ResultOf<Contract, 'app.viewLinks'>

/** Hidden from those who may only read. */
export function ViewLinks() {
  return useApp(selectCanControl) ? <LinkCard /> : null
}

function LinkCard() {
  const t = useText()
  const { backend } = useEnvironment()
  const { value: answer, reason, retry } = useAnswer(useCallback(() => backend.call('app.viewLinks', {}), [backend]))
  const { failure, run } = useAttempt()
  const place = usePlace()
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
  const t = useText()
  const format = useFormat()
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
