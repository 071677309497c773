// Who logs in at a pool: user, worker, password before its host. Of two meanings none is guessed: the fault names both.
import { Secret } from '../../base/secret'

interface PoolLogin {
  readonly user: string
  /** empty when there is none */
  readonly worker: string
  readonly password: Secret | null
  /** `user.worker` percent-encoded as given, without backticks */
  readonly shown: string
}

const ADDRESS = /^0x[0-9a-f]{40}(?![0-9a-z])/i
const FIELDS = 'write --pool-user, --pool-worker and --pool-password'

/**
 * Reads `user.worker:password`. Backticks quote a piece. The first `:` begins the password. The worker begins at the
 * first `.` after an address, otherwise at the last one; an e-mail address has none, unless its own dots are quoted or
 * encoded. A text is a fault; it never contains the password.
 */
export function readLogin(text: string): PoolLogin | string {
  if (count(text, '`') % 2 !== 0) return 'a backtick (`) has no partner'
  const colon = outsideTicks(text).indexOf(':')
  const names = colon < 0 ? text : text.slice(0, colon)
  const template = /%(?:[A-Z]*WAL|WORKER_NAME|EMAIL|URL[A-Z_]*|[A-Z]*PASS)%/.exec(text)?.[0]
  if (template !== undefined) return `${template} stands for your own wallet or name: put that there`
  const twofold = colon < 0 ? null : twoPasswords(text, colon)
  if (twofold !== null) return twofold
  const dot = workerDot(names)
  if (typeof dot === 'string') return dot
  const user = decodePiece(dot < 0 ? names : names.slice(0, dot))
  const worker = decodePiece(dot < 0 ? '' : names.slice(dot + 1))
  const password = colon < 0 ? '' : decodePiece(text.slice(colon + 1))
  if (user === null || worker === null || password === null) return badEscape(text)
  const shown = names.replaceAll('`', '')
  return { user, worker, password: password === '' ? null : new Secret(password), shown }
}

/** The login that `readLogin` reads back as exactly these texts; empty texts are absent. */
export function loginText(user: string, worker: string, password: string): string {
  const encode = (text: string): string => encodeURIComponent(text).replaceAll('.', '%2E')
  // An at sign would make one e-mail address of both.
  const quote = worker !== '' && `${user}${worker}`.includes('@') ? '`' : ''
  const name = (text: string): string => `${quote}${encode(text)}${quote}`
  return `${name(user)}${worker === '' ? '' : `.${name(worker)}`}${password === '' ? '' : `:${encode(password)}`}`
}

/** Where the password begins as typed; -1 without one. */
export function passwordStart(login: string): number {
  const colon = outsideTicks(login).indexOf(':')
  return colon < 0 ? -1 : colon + 1
}

/** Index of the dot before the worker, -1 for no worker, or a fault. */
function workerDot(names: string): number | string {
  const bare = outsideTicks(names)
  const address = ADDRESS.exec(names)?.[0]
  const at = bare.replace(/%40/gi, '@  ').indexOf('@')
  if (at >= 0) return mailDot(bare, at)
  if (address !== undefined) {
    // What pools append to an address (a difficulty, a coin) stays with it.
    const end = bare.slice(address.length).search(/[./]/)
    return bare[address.length + end] === '.' && end >= 0 ? address.length + end : -1
  }
  const dot = bare.lastIndexOf('.')
  const slash = bare.indexOf('/')
  if (slash < 0 || dot < slash) return dot
  const [user, worker] = [names.slice(0, dot), names.slice(dot + 1)]
  return `the login has two meanings: user ${names} without a worker, or user ${user} with worker ${worker}: ${FIELDS}`
}

/** The dots of an e-mail address belong to it; one after an address whose own dots are encoded begins the worker. */
function mailDot(bare: string, at: number): number {
  const dot = bare.lastIndexOf('.')
  const isEncoded = dot > at && /%2e/i.test(bare.slice(at, dot)) && !bare.slice(0, dot).includes('.')
  return isEncoded ? dot : -1
}

/** A name that may itself contain a colon; a fault, or null when the password is unmistakable. */
function twoPasswords(text: string, colon: number): string | null {
  const bare = outsideTicks(text)
  const last = bare.lastIndexOf(':')
  const before = bare.slice(0, colon)
  if (last === colon || before === '' || /[.@]|%40/i.test(before) || ADDRESS.test(text)) return null
  if (!/[.@]/.test(bare.slice(colon + 1, last))) return null
  const user = text.slice(0, colon)
  const [short, long] = [text.length - last - 1, text.length - colon - 1]
  return (
    `the login has two meanings: user ${user} with a password of ${long} characters, or a user that begins with ` +
    `${user}: and a password of ${short} characters: ${FIELDS}, or %3A for a colon in the user`
  )
}

/** The text with everything inside backticks blanked out: the positions stay. */
function outsideTicks(text: string): string {
  return text.replace(/`[^`]*`/g, (piece) => ' '.repeat(piece.length))
}

function count(text: string, char: string): number {
  return text.split(char).length - 1
}

/** `+` stays a plus: e-mail addresses use it. */
function decodePiece(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text.replaceAll('`', ''))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    return /[\u0000-\u001f\u007f]/.test(decoded) ? null : decoded
  } catch {
    return null // a percent sign without two hex digits, or bytes that are no text
  }
}

function badEscape(text: string): string {
  return /%(?![0-9a-f]{2})/i.test(text)
    ? 'the login holds a bad percent escape: two hex digits follow a %, and %25 stands for the sign itself'
    : 'the login holds a bad percent escape or control characters'
}
