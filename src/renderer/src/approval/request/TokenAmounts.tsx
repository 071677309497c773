// Token amounts of a call by their contracts' own names and decimals, beside the exact units and the contract.
import type { FactsView, TokenNameView, TransactionRequestView } from '../../../../contract/signer'
import { AddressText, ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import styles from '../Approval.module.css'
import { takerOfAll } from '../callers'
import { Party } from './Party'

export function TokenAmounts({ facts }: { readonly facts: FactsView | null }) {
  const t = useText()
  const { everyDigit } = useFormat()
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
            <TokenAmount names={names} contract={contract} amount={amount} />{' '}
            {t('ui.simulation.token', { amount: everyDigit(amount) })} <AddressText address={contract} form="grouped" />
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

interface TokenHeroProps {
  readonly facts: FactsView | null
  readonly call: TransactionRequestView['call']
}

/** What a call is about, large: all of a token with who may take it, or its one amount; nothing where there are several. */
export function TokenHero({ facts, call }: TokenHeroProps) {
  const t = useText()
  const { everyDigit } = useFormat()
  const taker = takerOfAll(call)
  if (taker !== null)
    return (
      <>
        <p className={styles.hero} data-size="short" data-testid="approval-token-hero">
          <span>{t('ui.holding.unlimited')}</span>
        </p>
        <p className={styles.label}>{t('ui.approval.whoMayTake')}</p>
        <Party address={taker} testId="approval-taker" tone="danger" />
      </>
    )
  const [token, ...others] = facts?.tokens ?? []
  if (token === undefined || others.length > 0) return null
  const names = facts?.names ?? []
  return (
    <p className={styles.hero} data-size="long" data-testid="approval-token-hero">
      <span>
        {nameOf(names, token.contract) === null && t('ui.simulation.token', { amount: everyDigit(token.amount) })}
        <TokenAmount names={names} contract={token.contract} amount={token.amount} />
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
