// The one place that names what a pool does wrong or fails to do. Pure: facts of sockets, certificates, logins, jobs
// and shares in, a class with its words out. What is in no list has a class too: nothing is taken for harmless.

/** What is wrong with a pool. */
export type PoolTrouble = keyof typeof TROUBLE_WORDS

/** What is known about a pool's trouble. */
export interface PoolDiagnosis {
  readonly trouble: PoolTrouble
  /** UTC ms */
  readonly since: number
  /** how often it was seen since then */
  readonly count: number
  /** the pool's last answer or the system's words, at most 200 characters; empty: there was none */
  readonly answer: string
}

/** What ends a trouble: work from the pool, or only a share that it accepts; a lower rate, or a greater height. */
type EndedBy = 'job' | 'share' | 'rate' | 'height'

interface Words {
  /** one sentence without its period */
  readonly text: string
  /** what the operator can do, one sentence without its period */
  readonly action: string
  readonly endedBy: EndedBy
}

const CHECK_ADDRESS = "Check host and port against the pool's page"
const CHECK_LOGIN = "Check user and worker against the pool's page"
const CHECK_NETWORK = "Check this computer's network"
const OTHER_POOL = 'Add another pool, or ask this one'
const CHECK_SCHEME = "Check the address's scheme against the pool's page"
const CHECK_PROXY = 'Check the proxy of this pool'
const CHECK_CLOCK = "Check this computer's clock, or ask the pool"

const said =
  (endedBy: EndedBy) =>
  (text: string, action: string): Words => ({ text, action, endedBy })
const untilJob = said('job')
const untilShare = said('share')

/** Every class with its English words, for log and API. Public: never rename one, add a new one. */
export const TROUBLE_WORDS = {
  dns: untilJob("The pool's name wasn't found", CHECK_ADDRESS),
  'no-route': untilJob('No network route leads to the pool', CHECK_NETWORK),
  'proxy-unreached': untilJob("The proxy can't be reached", CHECK_PROXY),
  'proxy-login': untilJob('The proxy refuses the login', "Check the proxy's user and password"),
  'proxy-target': untilJob("The proxy can't reach the pool", `${CHECK_ADDRESS}, or use another proxy`),
  'connection-refused': untilJob('Nothing listens at the pool’s port', CHECK_ADDRESS),
  'connect-timeout': untilJob("The pool's host doesn't answer", CHECK_ADDRESS),
  'connection-lost': untilJob('The pool closes the connection', OTHER_POOL),
  silence: untilJob("The pool takes the connection but doesn't answer", OTHER_POOL),
  'http-port': untilJob('A web server answers at this port, not a pool', CHECK_ADDRESS),
  'tls-port': untilJob('This port expects TLS', 'Use the scheme stratum+tls, or the port for unencrypted connections'),
  'plain-port': untilJob("This port doesn't speak TLS", 'Use the scheme stratum+tcp, or the port for TLS'),
  'tls-refused': untilJob('The pool offers no TLS version that is still safe', OTHER_POOL),
  'other-protocol': untilJob('The pool understands none of the protocols tried', CHECK_SCHEME),
  'other-coin': untilJob('The pool mines another coin', CHECK_ADDRESS),
  'certificate-expired': untilJob("The pool's certificate has expired", CHECK_CLOCK),
  'certificate-clock': untilJob("The pool's certificate isn't valid yet by this computer's clock", CHECK_CLOCK),
  'certificate-name': untilJob("The pool's certificate is for another name", CHECK_ADDRESS),
  'certificate-authority': untilJob(
    "Nobody this computer trusts vouches for the pool's certificate",
    'Add its authority with --ssl-cert-file, or ask the pool',
  ),
  'login-refused': untilJob('The pool refuses the login', CHECK_LOGIN),
  'login-address': untilJob('The pool refuses the payout address', 'Check the payout address'),
  'login-password': untilJob('The pool refuses the password', 'Check the password'),
  'login-banned': untilJob('The pool shuts this computer out for a while', 'Wait, or use another pool'),
  redirect: untilShare('The pool keeps sending this miner elsewhere', OTHER_POOL),
  'job-misfit': untilJob("The pool's jobs don't fit the protocol", CHECK_SCHEME),
  'no-work': untilJob('The pool gives no work', OTHER_POOL),
  'old-work': said('height')('The pool repeats old work', OTHER_POOL),
  'share-unauthorized': untilShare("The pool rejects shares: it doesn't know this login", CHECK_LOGIN),
  'share-difficulty': untilShare('The pool rejects shares as too easy', 'Try ?diff=hashes or ?diff=classic'),
  'share-stale': untilShare('The pool rejects shares as too late', CHECK_NETWORK),
  'share-duplicate': untilShare('The pool rejects shares as duplicates', OTHER_POOL),
  'share-invalid': untilShare('The pool rejects shares as wrong', CHECK_SCHEME),
  'share-rejected': untilShare('The pool rejects shares', OTHER_POOL),
  'share-unanswered': untilShare("The pool doesn't answer shares", OTHER_POOL),
  'share-flood': said('rate')('The share difficulty is too low for this rig', 'Use a port for a higher difficulty'),
  'nothing-accepted': untilShare('The pool has accepted nothing for far too long', OTHER_POOL),
  'no-share-yet': untilShare('The pool has not accepted a share yet', 'Wait, or use a port for a lower difficulty'),
}

/** Sentence, answer and action in one line: for log and API. */
export function troubleText({ trouble, answer }: Pick<PoolDiagnosis, 'trouble' | 'answer'>): string {
  const { text, action } = TROUBLE_WORDS[trouble]
  return answer === '' ? `${text}. ${action}.` : `${text}: ${answer}. ${action}.`
}

/** How far a connection came. */
export interface ConnectionFacts {
  readonly tls: boolean
  /** TCP was established */
  readonly isReached: boolean
  /** it could be used: with TLS, after its handshake */
  readonly isOpen: boolean
  /** the first bytes received, at most 64; of TLS the decrypted ones */
  readonly heard: Uint8Array
  /** Node's or OpenSSL's code; empty without an error */
  readonly code: string
}

const CERTIFICATE = /CERT|SELF_SIGNED|ALTNAME|HOSTNAME_MISMATCH|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/
const TLS_VERSION = /UNSUPPORTED_PROTOCOL|ALERT_PROTOCOL_VERSION|HANDSHAKE_FAILURE|NO_PROTOCOLS|NO_SHARED|DH_KEY/
/** What goes wrong between this computer and the far end of a proxy, as codes beside those of the system. */
export const PROXY_CODES: Readonly<Record<string, PoolTrouble>> = {
  EPROXYUNREACHED: 'proxy-unreached',
  EPROXYLOGIN: 'proxy-login',
  EPROXYTARGET: 'proxy-target',
}
const UNROUTED = ['EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL', 'EACCES', 'EPERM', 'EINVAL']

/** Why a connection failed or ended. */
export function connectionTrouble({ tls, isReached, isOpen, heard, code }: ConnectionFacts): PoolTrouble {
  const strange = strangeBytes(heard)
  if (strange !== null) return strange
  if (/^(ENOTFOUND|EAI_|EDNS|ENODATA)/.test(code)) return 'dns'
  if (Object.hasOwn(PROXY_CODES, code)) return PROXY_CODES[code] ?? 'proxy-unreached'
  if (UNROUTED.includes(code)) return 'no-route'
  if (code === 'ECONNREFUSED') return 'connection-refused'
  const certificate = certificateTrouble(code)
  if (certificate !== null) return certificate
  if (TLS_VERSION.test(code)) return 'tls-refused'
  if (/SSL|EPROTO/.test(code)) return 'plain-port'
  if (!isReached) return 'connect-timeout'
  return tls && !isOpen ? 'plain-port' : 'connection-lost'
}

/** Why a certificate was rejected; null: this code is about something else. */
export function certificateTrouble(code: string): PoolTrouble | null {
  if (code === 'CERT_HAS_EXPIRED') return 'certificate-expired'
  if (code === 'CERT_NOT_YET_VALID') return 'certificate-clock'
  if (/ALTNAME|HOSTNAME_MISMATCH/.test(code)) return 'certificate-name'
  return CERTIFICATE.test(code) ? 'certificate-authority' : null
}

const TLS_RECORDS: readonly (number | undefined)[] = [0x15, 0x16]
const TLS_MAJOR = 3

/** What speaks at a port whose first bytes can't be a pool's; null: they may be. */
export function strangeBytes(heard: Uint8Array): 'http-port' | 'tls-port' | null {
  if (TLS_RECORDS.includes(heard[0]) && heard[1] === TLS_MAJOR) return 'tls-port'
  const text = String.fromCharCode(...heard.subarray(0, 64)).trimStart()
  return /^(HTTP\/\d|<!doctype|<html|<\?xml)/i.test(text) ? 'http-port' : null
}

/** Why a login was refused. @param text the pool's words */
export function loginTrouble(text: string): PoolTrouble {
  if (/\bban|black.?list|blocked|too many|rate.?limit|throttl|try (again )?later|abus/i.test(text))
    return 'login-banned'
  if (/pass(word|wd|phrase)|\bpin\b/i.test(text)) return 'login-password'
  return /address|wallet|checksum|\bpayout|\bcoin\b/i.test(text) ? 'login-address' : 'login-refused'
}

const REJECTIONS: readonly (readonly [PoolTrouble, RegExp])[] = [
  [
    'share-unauthorized',
    /unauth|not (yet )?(authori|logged|subscri|connected|registered)|log.?in|unknown (worker|user|miner|account)|(worker|user|miner|account) (is )?(not|unknown|disabled|banned)/i,
  ],
  ['share-duplicate', /duplicat|already (submit|known|exist|received|found)|\bdupe/i],
  [
    'share-difficulty',
    /low.{0,3}diff|above.{0,16}target|(greater|higher|bigger|over|exceed\w*).{0,16}target|diff\w*.{0,12}(too|low|small|below|insufficient)|insufficient|too (easy|low|weak)|(n.t|not).{0,16}(meet|reach|satisf|enough).{0,24}|below.{0,16}(diff|minimum|required)|high.?hash|hash.{0,12}(greater|above|high|over)|weak/i,
  ],
  [
    'share-stale',
    /stale|too late|expired|outdated|obsolete|(job|work|block|header|task|template).{0,12}(not|unknown|missing|old|invalid|expired|gone|mismatch)|(unknown|no such|old|invalid|wrong|missing|no).{0,4}(job|work|block|header|task|template)|not current/i,
  ],
  [
    'share-invalid',
    /invalid|incorrect|malformed|wrong|\bbad\b|mix|nonce|proof|\bpow\b|verif|pars|format|param|length/i,
  ],
]

/** Numbers of the original protocol, and of EthereumStratum/2.0.0. */
const REJECTION_CODES: Readonly<Record<number, PoolTrouble>> = {
  21: 'share-stale',
  22: 'share-duplicate',
  23: 'share-difficulty',
  24: 'share-unauthorized',
  25: 'share-unauthorized',
  401: 'share-unauthorized',
  403: 'share-unauthorized',
  404: 'share-stale',
}

/** Why a share was rejected. @param text the pool's words; @param code its number, if it gave one */
export function rejectionTrouble(text: string, code: number | null): PoolTrouble {
  const byWords = REJECTIONS.find(([, words]) => words.test(text))?.[0]
  return byWords ?? REJECTION_CODES[code ?? 0] ?? 'share-rejected'
}

/** Why a getwork node's HTTP answer is no use. */
export function httpTrouble(status: number): PoolTrouble {
  if (status === 401 || status === 403) return 'login-refused'
  return status === 429 || status >= 500 ? 'no-work' : 'other-protocol'
}
