// Changes the address and login of a listed pool. Its password is never shown: as long as `***` stays in its place, it stays
// unchanged.
import { type FormEvent, type ReactNode, useCallback, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { PoolView } from '../../../../contract/pools'
import dialog from '../../components/layout/Dialog.module.css'
import { DialogModal, ModalClose } from '../../components/layout/Modal'
import { useText } from '../../i18n/text'
import { useAnswer } from '../../state/answers/use-answer'
import { useApp, useEnvironment } from '../../state/environment'
import { selectIsOpen } from '../../state/stores/app-store'
import { Button } from '../../widgets/controls/Button'
import { PoolFields, splitPool, type TypedPool, wholePool } from './PoolFields'
import styles from './Pools.module.css'
import { TestButton, TestResult, useTest } from './PoolTest'
import { keptText, type Said } from './use-move'

interface EditPoolProps {
  readonly pool: PoolView
  readonly onSaid: (said: Said) => void
  readonly onClose: () => void
}

/** The pool as it was typed; until that arrives, the displayed one, which has no path. */
function usePool({ index, url }: PoolView) {
  const { backend } = useEnvironment()
  const [changed, setTyped] = useState<TypedPool | null>(null)
  // Without an answer the displayed address stays, and saving reports the error.
  const { value } = useAnswer(useCallback(() => backend.call('miner.poolAddress', { index }), [backend, index]))
  return { typed: changed ?? splitPool(value?.url ?? url), setTyped }
}

/** The typed address, its errors, its test, and how to save it. */
function useEditing({ pool, onSaid, onClose }: EditPoolProps) {
  const t = useText()
  const { backend } = useEnvironment()
  const { typed, setTyped } = usePool(pool)
  const [error, setError] = useState('')
  const test = useTest()
  const { text: url, fault } = wholePool(typed)
  const change = (next: TypedPool): void => {
    setTyped(next)
    setError('')
    test.clear()
  }
  const save = async (): Promise<void> => {
    if (url === '') return setError(t('ui.pools.addEmpty'))
    if (fault !== '') return setError(fault)
    try {
      const kept = await backend.call('miner.poolEdit', { index: pool.index, url })
      onSaid({ isFailure: false, text: `${t('ui.pools.edited', { place: pool.index + 1 })} ${keptText(kept, t)}` })
      onClose()
    } catch (failure: unknown) {
      setError(messageOf(failure))
    }
  }
  return { typed, url, error, test, change, save }
}

/** Open while it is rendered. */
export function EditPool(props: EditPoolProps) {
  const { pool, onClose } = props
  const t = useText()
  const isOpen = useApp(selectIsOpen)
  const { typed, url, error, test, change, save } = useEditing(props)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (isOpen) void save()
  }
  const { index } = pool
  return (
    <Frame title={t('ui.pools.editPool', { host: pool.host })} onClose={onClose}>
      <form className={styles.add} onSubmit={submit}>
        <PoolFields typed={typed} onChange={change} hint={t('ui.pools.editHint')} error={error} name="pool-edit" />
        {pool.active && <p className={styles.warning}>{t('ui.pools.editActive')}</p>}
        <TestResult test={test} />
        <div className={dialog.actions}>
          <TestButton
            test={test}
            url={url}
            index={index}
            disabledReason={url === '' ? t('ui.pools.addEmpty') : undefined}
          />
          <ModalClose asChild>
            <Button>{t('ui.common.cancel')}</Button>
          </ModalClose>
          <Button
            type="submit"
            variant="primary"
            data-testid="pool-edit-save"
            disabledReason={isOpen ? undefined : t('ui.pause.noContact')}
          >
            {t('ui.settings.save')}
          </Button>
        </div>
      </form>
    </Frame>
  )
}

interface FrameProps {
  readonly title: string
  readonly onClose: () => void
  readonly children: ReactNode
}

function Frame({ title, onClose, children }: FrameProps) {
  return (
    <DialogModal title={title} testId="pool-edit" onClose={onClose}>
      {children}
    </DialogModal>
  )
}
