// What our own form sent in this run, and the outcome of each.

import { Card } from '../../../components/layout/Card'
import { AddressText, ForeignText, HashText } from '../../../components/values/HexText'
import { useText } from '../../../i18n/text'
import { useSigner } from '../../../state/environment'
import { Age } from '../../../widgets/facts/Age'
import { AmountText } from '../../../widgets/facts/AmountText'
import { PaymentState } from '../../../widgets/facts/PaymentState'
import styles from '../Accounts.module.css'

export function Sends({ address }: { readonly address: string }) {
  const t = useText()
  const sends = useSigner((state) => state.sends.filter(({ from }) => from.toLowerCase() === address.toLowerCase()))
  if (sends.length === 0) return null
  return (
    <Card title={t('ui.send.own')} testId="sends">
      <ul className={styles.rows}>
        {sends.map(({ id, to, value, state, hash, reason, at }) => (
          <li key={id} data-testid="send-row" data-state={state}>
            <span className={styles.tag}>{t(`ui.send.state.${state}`)}</span>
            <AmountText wei={value} form="exact" />
            <span>
              → <AddressText address={to} form="short" />
            </span>
            {hash !== null && <HashText hex={hash} href={`#/node/tx/${hash}`} label={t('ui.send.hash')} />}
            {hash !== null && <PaymentState hash={hash} />}
            {reason !== '' && state === 'failed' && <ForeignText text={reason.slice(0, 300)} />}
            <Age time={at} />
          </li>
        ))}
      </ul>
    </Card>
  )
}
