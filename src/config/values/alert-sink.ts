// Where alerts go: a webhook's URL, ntfy://, telegram://, smtp(s)://, command:; words after # are ours, never sent.
import { Secret } from '../../base/secret'
import type { ValueType } from '../schema'
import { decoded as decodedOrNull } from './pool-url'
import { secretList } from './rig-address'
import { urlOf } from './value-types'

/** Which incidents a place gets. */
interface SinkWishes {
  /** from this level on */
  readonly level: 'attention' | 'problem'
  /** only what nobody acknowledged in time */
  readonly isEscalation: boolean
}

/** A place that alerts are sent to. */
export type AlertSink = SinkWishes & {
  /** without secrets */
  readonly name: string
} & (
    | { readonly kind: 'webhook'; readonly url: Secret }
    | {
        readonly kind: 'ntfy'
        /** `https://host` */
        readonly server: string
        /** anyone who knows it can read what is sent */
        readonly topic: Secret
        /** header value; null: none */
        readonly authorization: Secret | null
      }
    | { readonly kind: 'telegram'; readonly token: Secret; readonly chat: string; readonly server: string }
    | {
        readonly kind: 'email'
        readonly host: string
        readonly port: number
        /** TLS from the first byte; otherwise STARTTLS where offered, and always before a password is sent */
        readonly secure: boolean
        readonly user: string
        readonly password: Secret | null
        readonly from: string
        readonly to: string
      }
    | { readonly kind: 'command'; readonly file: string }
  )

/** A sink, or what is wrong with its address, without its secrets. */
type AlertSinkOutcome = { readonly sink: AlertSink } | { readonly fault: string }

const GRAMMAR =
  'https://…, ntfy://[TOKEN@]HOST/TOPIC, telegram://TOKEN@CHAT, smtps://[USER:PASSWORD@]HOST/?from=A&to=B or command:/FILE, with #level=problem or #escalation at the end'

const TELEGRAM_SERVER = 'https://api.telegram.org'
const SMTP_PORTS = { smtp: 587, smtps: 465 } as const
const MAX_LENGTH = 2_000

/** Reads one address. */
export function parseAlertSink(text: string): AlertSinkOutcome {
  if (text.length > MAX_LENGTH) return { fault: `an alert address has at most ${MAX_LENGTH} characters` }
  const hash = text.indexOf('#')
  const wishes = readWishes(hash < 0 ? '' : text.slice(hash + 1))
  if ('fault' in wishes) return wishes
  const address = hash < 0 ? text : text.slice(0, hash)
  const scheme = /^([a-z][a-z+]*):/i.exec(address)?.[1]?.toLowerCase() ?? ''
  const read = Object.hasOwn(READERS, scheme) ? READERS[scheme] : undefined
  if (read === undefined) return { fault: `an alert address begins with ${Object.keys(READERS).join(':, ')}:` }
  const found = read(address)
  return 'fault' in found ? found : { sink: { ...wishes, ...found } }
}

/** Alert addresses, each as typed; separated by blanks in an environment variable. */
export function alertList(): ValueType<readonly Secret[]> {
  const isValid = (text: string): boolean => 'sink' in parseAlertSink(text)
  return secretList({ placeholder: 'URL', expected: GRAMMAR, shown: shownAlertSink, parts: /\s+/, isValid })
}

/** The address with its secrets masked, for lists and messages. */
function shownAlertSink(text: string): string {
  const outcome = parseAlertSink(text)
  return 'sink' in outcome ? `${outcome.sink.kind} ${outcome.sink.name}` : '***'
}

type Distributed<T> = T extends unknown ? Omit<T, keyof SinkWishes> : never
type Read = Distributed<AlertSink> | { readonly fault: string }

const READERS: Readonly<Record<string, (address: string) => Read>> = {
  https: webhook,
  http: webhook,
  ntfy: (address) => ntfy(address, 'https'),
  'ntfy+http': (address) => ntfy(address, 'http'),
  telegram,
  smtps: (address) => email(address, 'smtps'),
  smtp: (address) => email(address, 'smtp'),
  command: (address) => {
    const file = address.slice('command:'.length)
    if (!/^(\/|[a-z]:[\\/])/i.test(file)) return { fault: 'command: needs the whole path of a file' }
    return { kind: 'command', name: file.split(/[\\/]/).at(-1) ?? file, file }
  },
}

function readWishes(text: string): SinkWishes | { readonly fault: string } {
  let wishes: SinkWishes = { level: 'attention', isEscalation: false }
  for (const word of text.split(/[,&]/).filter((each) => each !== '')) {
    if (word === 'escalation') wishes = { ...wishes, isEscalation: true }
    else if (word === 'level=problem' || word === 'level=attention')
      wishes = { ...wishes, level: word === 'level=problem' ? 'problem' : 'attention' }
    else return { fault: 'after # an alert address takes level=attention, level=problem and escalation' }
  }
  return wishes
}

function webhook(address: string): Read {
  const url = urlOf(address)
  if (url === null) return { fault: "the webhook's address can't be read" }
  return { kind: 'webhook', name: url.host, url: new Secret(address) }
}

function ntfy(address: string, scheme: 'http' | 'https'): Read {
  const url = urlOf(address.replace(/^ntfy(\+http)?:/i, `${scheme}:`))
  const topic = url?.pathname.replace(/^\/+|\/+$/g, '') ?? ''
  if (url === null || topic === '' || topic.includes('/') || url.search !== '')
    return { fault: 'ntfy:// needs a host and one topic after it, and takes nothing else' }
  const [user, password] = [decoded(url.username), decoded(url.password)]
  const authorization =
    user === '' ? null : password === '' ? `Bearer ${user}` : `Basic ${base64(`${user}:${password}`)}`
  return {
    kind: 'ntfy',
    name: url.host,
    server: `${scheme}://${url.host}`,
    topic: new Secret(topic),
    authorization: authorization === null ? null : new Secret(authorization),
  }
}

/** Not a URL: the token has a colon where a URL has its port. */
function telegram(address: string): Read {
  const match = /^telegram:\/\/(\d+:[\w-]{20,})@(-?\d+|@?\w{5,})(?:\/?\?server=(https?:\/\/[^\s?#]+))?$/i.exec(address)
  const [, token, chat, server = TELEGRAM_SERVER] = match ?? []
  if (token === undefined || chat === undefined)
    return { fault: 'telegram:// needs the bot’s token, an at sign and the chat: telegram://123:ABC@-1001' }
  const named = /^-?\d+$/.test(chat) || chat.startsWith('@') ? chat : `@${chat}`
  return { kind: 'telegram', name: named, token: new Secret(token), chat: named, server: server.replace(/\/+$/, '') }
}

function email(address: string, scheme: 'smtp' | 'smtps'): Read {
  const url = urlOf(address.replace(/^smtps?:/i, 'http:'))
  const given = (name: string): string => url?.searchParams.getAll(name).join(',') ?? ''
  const [from, to] = [given('from'), given('to')]
  const isOther = [...(url?.searchParams.keys() ?? [])].some((name) => name !== 'from' && name !== 'to')
  if (url === null || !isMail(from) || !to.split(',').every(isMail) || isOther)
    return { fault: 'smtp:// needs a host, ?from=ADDRESS and &to=ADDRESS, and takes nothing else' }
  return {
    kind: 'email',
    name: to,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? SMTP_PORTS[scheme] : Number(url.port),
    secure: scheme === 'smtps',
    user: decoded(url.username),
    password: url.password === '' ? null : new Secret(decoded(url.password)),
    from,
    to,
  }
}

function isMail(text: string): boolean {
  return /^[^\s@,<>"]+@[^\s@,<>"]+$/.test(text)
}

function decoded(text: string): string {
  return decodedOrNull(text) ?? text
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)))
}
