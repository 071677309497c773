// Whether a text names an account that mining can pay: length, checksum, and texts that stand for an address.
import { checksumAddress } from '../../base/checksum-address'

/** Zero and the precompiled contracts are nobody's account, and neither is the one that burned coins are sent to. */
const FIRST_OWNED = 0x20n
const BURNED = '0x000000000000000000000000000000000000dead'
const ADDRESS_DIGITS = 40

/** `<WALLET>`, `${WALLET}`, `{wallet}`, `%WAL%`: what a template fills in. */
const TEMPLATE = /[<>{}]|\$[A-Z]|%(?:[A-Z]?WAL|WORKER(?:_NAME)?|EMAIL|[A-Z]*PASS|URL(?:_HOST|_PORT)?)%/i
const OWNER = '(?:your|my|own|the|full|put|enter|insert)'
const COIN = '(?:eth|etc|lax|parallax|prlx|coin|payout|payment|mining|pool)'
const WALLET = '(?:wallet|wal|address|addr|pubkey)'
const NAME = '(?:account|user|username|login|id)'
const GAP = '[ _-]*'
/** `WALLET`, `0xADDRESS`, `YOUR_WALLET_ADDRESS`, `your-username`. */
const EXAMPLE = new RegExp(
  `^(?:0x)?(?:${OWNER}${GAP})*(?:${COIN}${GAP})*(?:${WALLET}${GAP})+(?:here|id)?$|^(?:${OWNER}${GAP})+(?:${COIN}${GAP})*${NAME}(?:${GAP}here)?$`,
  'i',
)

/** True for a text from an example or a template, in place of an own address or name. */
export function isPlaceholder(text: string): boolean {
  return TEMPLATE.test(text) || EXAMPLE.test(text)
}

/** Why nobody can be paid at `address`, meant as `0x` and 40 hex digits; null when someone can. Ignores checksums. */
export function payoutFault(address: string): string | null {
  const digits = address.slice(2)
  if (!/^0x/.test(address)) return 'an address begins with 0x'
  const wrong = /[^0-9a-f]/i.exec(digits)?.[0]
  if (digits.length !== ADDRESS_DIGITS)
    return `the address ${address} has ${digits.length} digits after 0x: an address has ${ADDRESS_DIGITS}`
  if (wrong !== undefined) return `the address ${address} contains "${wrong}", which is no hex digit`
  const isUnowned = BigInt(address) < FIRST_OWNED || address.toLowerCase() === BURNED
  return isUnowned ? `nobody owns the address ${address}: rewards sent there are lost` : null
}

/** What is wrong with the capitals of `0x` and 40 hex digits (EIP-55); null when nothing, or there are none. */
export function checksumFault(address: string): string | null {
  const letters = address.slice(2)
  if (letters === letters.toLowerCase() || letters === letters.toUpperCase()) return null
  return checksumAddress(address) === address
    ? null
    : `the capitals of the address ${address} do not match its checksum (EIP-55): copy it from your wallet again`
}

/** What a pool's login says about who is paid. */
interface PayoutFindings {
  /** the login can pay nobody; null: it may */
  readonly fault: string | null
  /** valid, but worth a second look */
  readonly warnings: readonly string[]
}

/** Checks every address in a login, wherever a pool's form puts it. @param user decoded */
export function checkPayee(user: string, worker: string): PayoutFindings {
  const head = /^[^./]*/.exec(user)?.[0] ?? ''
  const example = [user, head, worker].find((text, index) => (index === 2 ? TEMPLATE.test(text) : isPlaceholder(text)))
  if (example !== undefined)
    return { fault: `${example} stands for your own address or name: put that there`, warnings: [] }
  const found = addressesIn(user)
  const fault = found.map(payoutFault).find((each) => each !== null) ?? null
  if (fault !== null) return { fault, warnings: [] }
  const warnings = found.flatMap((address) => checksumFault(address) ?? [])
  const isBare = new RegExp(`^[0-9a-f]{${ADDRESS_DIGITS}}$`, 'i').test(head)
  return { fault: null, warnings: isBare ? [...warnings, `${head} looks like an address without its 0x`] : warnings }
}

/** A text that begins with `0x` is meant as an address whatever its length; further inside only a long one is. */
function addressesIn(user: string): readonly string[] {
  return [...user.matchAll(/(?<![0-9a-z])0x[0-9a-z]*/gi)].flatMap(({ 0: text, index }) =>
    index === 0 || text.length > ADDRESS_DIGITS / 2 ? [text] : [],
  )
}
