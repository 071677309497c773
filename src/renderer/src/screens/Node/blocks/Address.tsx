// One address in the latest state: its balance, how many transactions it sent, whether it is a contract.
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import type { AddressView } from '../../../../../contract/explorer'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { ScrollRegion } from '../../../components/layout/ScrollRegion'
import { AddressText, CopyButton } from '../../../components/values/HexText'
import { useLanguage, useText } from '../../../i18n/text'
import { hrefOf } from '../../../navigation/router'
import { useAddressHistory } from '../../../state/answers/use-address-history'
import { useAttempt, useCall } from '../../../state/answers/use-answer'
import { useEnvironment, useNode } from '../../../state/environment'
import { Button, Failure } from '../../../widgets/controls/Button'
import { AnswerState, EmptyState, ErrorState, Skeleton } from '../../../widgets/facts/States'
import { AmountText } from '../../../widgets/facts/Value'
import { BalanceWhy, type BalanceWhyProps } from '../../../widgets/why/BalanceWhy'
import { WhyText } from '../../../widgets/why/WhyText'
import { Screen } from '../../Screen'
import styles from '../Node.module.css'
import { NodeTabs } from '../NodeTabs'
import { TransactionList } from './TransactionList'

/** Height of an address's figures, reserved until they are known. */
const FACTS_PX = 157

export function Address({ address }: { readonly address: string }) {
  const t = useText()
  const head = useNode((state) => state.head?.head?.hash ?? '')
  const answer = useCall('node.address', { address }, { mark: head })
  const account = answer.value?.account
  return (
    <Screen title={t('ui.node.address')}>
      <NodeTabs active={null}>
        <Card title={t('ui.node.address')} testId="address-detail">
          <div className={styles.wholeAddress}>
            <AddressText address={address} form="grouped" label={t('ui.node.address')} />
          </div>
          <AnswerState answer={answer} failed="ui.node.addressFailed" lines={4} heightPx={FACTS_PX} />
          {account === null && <EmptyState icon={SearchX} title={t('ui.node.addressUnknown')} />}
          {account != null && <AddressFacts address={address} account={account} />}
        </Card>
        {account != null && account.codeBytes > 0 && <Code key={address} address={address} />}
        <AddressHistory key={address} address={address} />
        <Mined address={address} />
      </NodeTabs>
    </Screen>
  )
}

function AddressFacts({ address, account }: { readonly address: string; readonly account: AddressView }) {
  const { t, format } = useLanguage()
  const { nextUnlock, codeBytes } = account
  const why = (of: BalanceWhyProps['of']) => <BalanceWhy of={of} address={address} amounts={account} />
  return (
    <>
      <Facts>
        <Fact label={t('ui.accounts.available')} why={why('available')}>
          <AmountText wei={account.available} form="exact" testId="address-available" />
        </Fact>
        <Fact label={t('ui.accounts.locked')} why={why('locked')}>
          <AmountText wei={account.locked} form="exact" testId="address-locked" />
        </Fact>
        {nextUnlock !== null && (
          <Fact label={t('ui.accounts.nextUnlock')} why={why('nextUnlock')}>
            {t('ui.accounts.unlockAt', {
              amount: format.lax(BigInt(nextUnlock.amount)),
              height: nextUnlock.height,
            })}
          </Fact>
        )}
        <Fact label={t('ui.node.nonce')} why={why('nonce')}>
          <span data-testid="address-nonce">{account.nonce}</span>
        </Fact>
        <Fact label={t('ui.node.contract')} why={codeBytes > 0 ? <WhyText of="codeSize" /> : undefined}>
          <span data-testid="address-code" data-value={codeBytes}>
            {codeBytes > 0
              ? t('ui.node.contractYes', { size: format.text('bytes', codeBytes) })
              : t('ui.node.contractNo')}
          </span>
        </Fact>
      </Facts>
      <p className={styles.soft}>{t('ui.node.addressAsOf', { height: account.asOf })}</p>
    </>
  )
}

/** Its transactions in the latest blocks; only those are searched. */
function Mined({ address }: { readonly address: string }) {
  const { t, format } = useLanguage()
  const blocks = useNode((state) => state.blocks)
  const fault = useNode((state) => state.blocksError)
  if (blocks === null && fault !== '')
    return (
      <Card title={t('ui.node.addressRecent')}>
        <ErrorState title={t('ui.node.blocksFailed')} reason={fault} />
      </Card>
    )
  if (blocks === null || blocks.length === 0) return null
  const mined = blocks.filter((block) => block.miner.toLowerCase() === address)
  return (
    <Card title={t('ui.node.addressRecent')}>
      <p className={styles.soft}>
        {mined.length === 0
          ? t('ui.node.addressRecentNone', { count: blocks.length })
          : t('ui.node.addressMined', { count: mined.length, of: blocks.length })}
      </p>
      {mined.length > 0 && (
        <p className={styles.heights}>
          {mined.map((block) => (
            <a key={block.hash} href={hrefOf(`/node/block/${block.number}`)}>
              {format.text('count', block.number)}
            </a>
          ))}
        </p>
      )}
    </Card>
  )
}

/** Height of the words that most addresses get: no transactions. */
const NOTHING_PX = 20

/** For one address: give each address its own `key`. */
function AddressHistory({ address }: { readonly address: string }) {
  const { t, format } = useLanguage()
  const { found, isBusy, reason, ask, goOn } = useAddressHistory(address)
  return (
    <Card
      title={t('ui.node.addressHistory')}
      testId="address-history"
      aside={
        found !== null && (
          <span className={styles.soft} data-testid="address-range">
            {t('ui.node.addressRange', {
              oldest: format.text('count', found.oldest),
              newest: format.text('count', found.newest),
            })}
          </span>
        )
      }
    >
      {reason !== '' && <ErrorState title={t('ui.node.addressHistoryFailed')} reason={reason} onRetry={ask} />}
      {found === null && reason === '' && <Skeleton lines={1} heightPx={NOTHING_PX} />}
      {found?.transactions.length === 0 && <p className={styles.soft}>{t('ui.node.addressHistoryNone')}</p>}
      {found !== null && found.transactions.length > 0 && (
        <TransactionList transactions={found.transactions} hasBlock />
      )}
      {found !== null && found.oldest > 0 && (
        <div className={styles.buttons}>
          <Button needsContact isBusy={isBusy} data-testid="address-further" onClick={goOn}>
            {t('ui.node.addressFurther')}
          </Button>
        </div>
      )}
    </Card>
  )
}

function Code({ address }: { readonly address: string }) {
  const t = useText()
  const { backend } = useEnvironment()
  const { failure, run } = useAttempt()
  const [code, setCode] = useState<string | null>(null)
  const show = (): void => run(async () => setCode((await backend.call('node.code', { address })).code))
  return (
    <Card
      title={t('ui.node.code')}
      testId="address-program"
      aside={code !== null && <CopyButton text={code} label={t('ui.node.code')} />}
    >
      {code === null && (
        <div className={styles.buttons}>
          <Button needsContact data-testid="code-show" onClick={show}>
            {t('ui.node.codeShow')}
          </Button>
        </div>
      )}
      {code !== null && (
        <ScrollRegion className={styles.bytes} label={t('ui.node.code')}>
          <code>{code}</code>
        </ScrollRegion>
      )}
      <Failure text={failure} />
    </Card>
  )
}
