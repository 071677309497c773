// The parts of the node screen, with the chain search above them.
import { type FormEvent, type ReactNode, useState } from 'react'
import { TextField } from '../../components/forms/TextField'
import { Tabs } from '../../components/layout/Tabs'
import { useText } from '../../i18n/text'
import { goTo, hrefOf } from '../../navigation/router'
import { type NodeTab, nodeTabs } from '../../navigation/routes'
import { useAttempt } from '../../state/answers/use-answer'
import { useEnvironment } from '../../state/environment'
import { Button } from '../../widgets/controls/Button'
import { readSearch } from './blocks/search'
import styles from './Node.module.css'

export function NodeTabs({ active, children }: { readonly active: NodeTab | null; readonly children: ReactNode }) {
  const t = useText()
  return (
    <>
      <div className={styles.tabBar}>
        <Tabs
          label={t('ui.node.sections')}
          active={active}
          tabs={nodeTabs.map((tab) => ({
            name: tab,
            href: hrefOf(tab === 'sync' ? '/node' : `/node/${tab}`),
            title: t(`ui.node.tab.${tab}`),
            testId: `node-tab-${tab}`,
          }))}
        />
        <ChainSearch />
      </div>
      {children}
    </>
  )
}

function ChainSearch() {
  const t = useText()
  const { backend } = useEnvironment()
  const [text, setText] = useState('')
  const [fault, setFault] = useState('')
  const { failure, run, forget } = useAttempt()
  const find = async (): Promise<void> => {
    const wanted = readSearch(text)
    if (wanted === null) return setFault(t('ui.node.searchBad'))
    if (wanted.kind !== 'hash') return goTo(wanted.path)
    const { block } = await backend.call('node.block', { id: wanted.hash })
    if (block !== null) return goTo(`/node/block/${wanted.hash}`)
    const { transaction } = await backend.call('node.transaction', { hash: wanted.hash })
    if (transaction !== null) return goTo(`/node/tx/${wanted.hash}`)
    setFault(t('ui.node.searchNothing'))
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    run(find, 'ui.node.searchFailed')
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: the element search is younger than the browsers we run in
    <form role="search" className={styles.search} onSubmit={submit}>
      <TextField
        label={t('ui.node.search')}
        isLabelHidden
        type="search"
        placeholder={t('ui.node.searchHint')}
        value={text}
        error={fault === '' ? failure : fault}
        maxLength={100}
        data-testid="chain-search"
        onChange={(value) => {
          setText(value)
          setFault('')
          forget()
        }}
      />
      <Button type="submit" data-testid="chain-search-submit">
        {t('ui.node.searchButton')}
      </Button>
    </form>
  )
}
