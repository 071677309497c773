// A pool as it is typed: its address, and beside it the login and the proxy. Below, what the pool will see.
import { type Ref, useState } from 'react'
import {
  fieldsOf,
  hostPort,
  type PoolUrl,
  type PoolUrlFault,
  parsePoolUrl,
  withFields,
} from '../../../../config/values/pool-url'
import { TextField } from '../../components/forms/TextField'
import { ForeignText } from '../../components/values/HexText'
import { type Text, useText } from '../../i18n/text'
import styles from './Pools.module.css'

const FIELDS = ['user', 'worker', 'password', 'proxy'] as const

export interface TypedPool extends Readonly<Record<(typeof FIELDS)[number], string>> {
  readonly address: string
}

/** A pool of which only the address line is filled in. */
export function addressOnly(address: string): TypedPool {
  return { address, user: '', worker: '', password: '', proxy: '' }
}

/** Each part of an address in its field; whatever can't be split without changing its meaning stays in the address. */
export function splitPool(text: string): TypedPool {
  const parts = fieldsOf(text)
  if (parts === null) return addressOnly(text)
  const again = parsePoolUrl(wholePool(parts).text)
  const before = parsePoolUrl(text)
  const isSame = 'url' in again && 'url' in before && meaningOf(again.url) === meaningOf(before.url)
  return isSame ? parts : addressOnly(text)
}

/** The address with the fields in it; `fault` is empty unless they contradict each other. */
export function wholePool({ address, ...fields }: TypedPool): { readonly text: string; readonly fault: string } {
  const text = address.trim()
  const whole = withFields(text, { ...fields, proxy: fields.proxy.trim() })
  return 'text' in whole ? { text: whole.text, fault: '' } : { text, fault: whole.fault }
}

function meaningOf({ warnings: _warnings, password, proxy, ...url }: PoolUrl): string {
  const login = proxy?.login ?? null
  const through = proxy === null ? null : { ...proxy, login: login && [login.user, login.password.reveal()] }
  return JSON.stringify([url, password?.reveal() ?? null, through])
}

/** A pool being typed, beginning with this address. @param onTyped called at each change with the whole address */
export function useTypedPool(start: string, onTyped: (text: string) => void) {
  const [typed, setTyped] = useState(() => splitPool(start))
  const change = (next: TypedPool): void => {
    setTyped(next)
    onTyped(wholePool(next).text)
  }
  return { typed, change, ...wholePool(typed) }
}

interface PoolFieldsProps {
  readonly typed: TypedPool
  readonly onChange: (typed: TypedPool) => void
  readonly hint: string
  readonly error?: string
  /** Of the address line. */
  readonly addressRef?: Ref<HTMLInputElement>
  /** Test ids begin with it: `pool`, `pool-edit`, `welcome-pool`. */
  readonly name: string
}

export function PoolFields({ typed, onChange, hint, error = '', addressRef, name }: PoolFieldsProps) {
  const t = useText()
  const { text, fault } = wholePool(typed)
  return (
    <>
      <TextField
        ref={addressRef ?? null}
        label={t('ui.pools.addUrl')}
        value={typed.address}
        onChange={(address) => onChange({ ...typed, address })}
        hint={hint}
        error={error === '' ? fault : error}
        isMono
        maxLength={1024}
        data-testid={`${name}-url`}
      />
      <div className={styles.fields}>
        {FIELDS.map((field) => (
          <TextField
            key={field}
            label={t(field === 'user' ? 'ui.pools.part.login' : `ui.pools.part.${field}`)}
            value={typed[field]}
            onChange={(value) => onChange({ ...typed, [field]: value })}
            placeholder={field === 'proxy' ? 'socks5://127.0.0.1:9050' : undefined}
            type={field === 'password' ? 'password' : 'text'}
            isMono
            maxLength={512}
            data-testid={`${name}-${field}`}
          />
        ))}
      </div>
      <PoolParts text={text} />
    </>
  )
}

/** `***` stands for the password of a listed pool. */
const KEPT = '***'

interface Part {
  readonly name: 'dialect' | 'host' | 'port' | 'path' | 'proxy' | 'encryption'
  readonly text: string
  readonly isWarning?: boolean
}

/** Renders nothing while nothing is typed. */
function PoolParts({ text }: { readonly text: string }) {
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
