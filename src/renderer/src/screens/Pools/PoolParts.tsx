// The parts of a pool's address as it is typed: what was recognized, and which part is wrong or missing.
import { hostPort, type PoolUrl, type PoolUrlFault, parsePoolUrl } from '../../../../config/values/pool-url'
import { ForeignText } from '../../components/values/HexText'
import { type Text, useText } from '../../i18n/text'
import styles from './Pools.module.css'

/** `***` stands for the password of a listed pool. */
const KEPT = '***'

interface Part {
  readonly name: 'dialect' | 'host' | 'port' | 'path' | 'proxy' | 'encryption'
  readonly text: string
  readonly isWarning?: boolean
}

/** Renders nothing while nothing is typed. */
export function PoolParts({ text }: { readonly text: string }) {
  const t = useText()
  if (text === '') return null
  const outcome = parsePoolUrl(text)
  if ('fault' in outcome) return <WrongPart wrong={outcome} />
  return (
    <>
      {outcome.url.warnings.map((warning) => (
        <p key={warning} className={styles.warning} role="status" data-testid="pool-parts-warning">
          <ForeignText text={warning} />
        </p>
      ))}
      <div className={styles.seen} data-testid="pool-parts" data-state="ok">
        <p>
          <ForeignText text={loginText(outcome.url, t)} />
        </p>
        <dl className={styles.parts}>
          {partsOf(outcome.url, t).map(({ name, text: shown, isWarning = false }) => (
            <div key={name} className={isWarning ? styles.partWarning : styles.part}>
              <dt>{t(`ui.pools.part.${name}`)}</dt>
              <dd>
                <ForeignText text={shown} />
              </dd>
            </div>
          ))}
        </dl>
      </div>
    </>
  )
}

/** Which part is wrong, and for a login or a host the reason: it may have two meanings, or pay nobody. */
function WrongPart({ wrong: { part, fault } }: { readonly wrong: PoolUrlFault }) {
  const t = useText()
  return (
    <p className={styles.warning} data-testid="pool-parts" data-state="wrong" data-part={part} role="status">
      {t(`ui.pools.wrong.${part}`)} {(part === 'login' || part === 'host') && <ForeignText text={fault} />}
    </p>
  )
}

/** What the pool is told, in one sentence. */
function loginText({ user, worker, password }: PoolUrl, t: Text): string {
  return t('ui.pools.logsIn', {
    hasLogin: user !== '',
    login: user,
    hasWorker: worker !== '',
    worker,
    password: password === null ? 'none' : password.reveal() === KEPT ? 'kept' : 'set',
  })
}

function partsOf(url: PoolUrl, t: Text): readonly Part[] {
  const { dialect, host, port, path, proxy, tls, verify } = url
  const encryption = tls ? (verify ? 'tls' : 'notVerified') : 'plain'
  return [
    { name: 'dialect', text: dialect ?? t('ui.pools.dialectFound') },
    { name: 'host', text: host },
    { name: 'port', text: String(port) },
    ...(path === '' ? [] : [{ name: 'path', text: path } as const]),
    ...(proxy === null ? [] : [{ name: 'proxy', text: hostPort(proxy) } as const]),
    { name: 'encryption', text: t(`ui.pools.${encryption}`), isWarning: encryption !== 'tls' },
  ]
}
