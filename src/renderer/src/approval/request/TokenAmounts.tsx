// Token amounts of a call, formatted by their contracts' own names and decimals, beside the exact units and the
// contract.
import type { FactsView, TokenNameView } from '../../../../contract/signer'
import { AddressText, ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import styles from '../Approval.module.css'
import { HALF_OF_ALL } from '../callers'
import { Party } from './Party'

export function TokenAmounts({ facts }: { readonly facts: FactsView | null }) {
  const t = useText()
  const names = facts?.names ?? []
  const tokens = facts?.tokens ?? []
  if (tokens.length === 0) return null
  return (
    <section data-testid="approval-tokens">
      <ul className={styles.deltas}>
        {tokens.map(({ kind, contract, to, amount }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: amounts of one constant answer have no other identity
          <li key={index} data-testid="approval-token-amount">
            {t(kind === 'grant' ? 'ui.approval.tokenGrant' : 'ui.approval.tokenMove')}{' '}
            <TokenAmount names={names} contract={contract} amount={amount} /> {t('ui.simulation.token', { amount })}{' '}
            <AddressText address={contract} form="grouped" />
            {to !== null && <Party address={to} testId="approval-token-to" />}
          </li>
        ))}
      </ul>
      {tokens.some(({ contract }) => nameOf(names, contract) !== null) && (
        <p className={styles.note}>{t('ui.approval.tokenClaim')}</p>
      )}
    </section>
  )
}

/** The one amount of tokens that a call is about, large; nothing where there are several. */
export function TokenHero({ facts }: { readonly facts: FactsView | null }) {
  const t = useText()
  const [token, ...others] = facts?.tokens ?? []
  if (token === undefined || others.length > 0) return null
  const { kind, contract, amount } = token
  const names = facts?.names ?? []
  const name = nameOf(names, contract)
  const isUnlimited = kind === 'grant' && BigInt(amount) >= HALF_OF_ALL
  return (
    <p className={styles.hero} data-size={isUnlimited ? 'short' : 'long'} data-testid="approval-token-hero">
      <span>
        {isUnlimited && t('ui.holding.unlimited')}
        {!isUnlimited && name === null && t('ui.simulation.token', { amount })}
        {!isUnlimited && <TokenAmount names={names} contract={contract} amount={amount} />}
        {isUnlimited && name !== null && name.symbol !== '' && <q className={styles.symbol}>{name.symbol}</q>}
      </span>
    </p>
  )
}

/** Null where the contract claims neither symbol nor decimals. */
function nameOf(names: readonly TokenNameView[], contract: string): TokenNameView | null {
  const found = names.find((each) => each.contract.toLowerCase() === contract.toLowerCase()) ?? null
  return found === null || (found.symbol === '' && found.decimals === null) ? null : found
}

interface TokenAmountProps {
  readonly names: readonly TokenNameView[]
  readonly contract: string
  /** Smallest units, decimal. */
  readonly amount: string
}

/** `12.5 “TOK”`; nothing where the contract claims nothing. */
export function TokenAmount({ names, contract, amount }: TokenAmountProps) {
  const format = useFormat()
  const name = nameOf(names, contract)
  if (name === null) return null
  return (
    <strong>
      {name.decimals !== null && `${format.tokenExact(BigInt(amount), name.decimals)} `}
      {name.symbol !== '' && (
        <q>
          <ForeignText text={name.symbol} />
        </q>
      )}
    </strong>
  )
}
