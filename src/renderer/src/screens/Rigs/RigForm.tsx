// Adds or changes a rig: its name, its address, and the token of its control port, tested before it is saved.
import { type FormEvent, useRef, useState } from 'react'
import type { ParamsOf, ResultOf } from '../../../../base/wire/define'
import type { Contract } from '../../../../contract/contract'
import type { RigView } from '../../../../contract/rigs'
import { PasswordField, type PasswordFieldHandle } from '../../components/forms/PasswordField'
import { TextField } from '../../components/forms/TextField'
import dialog from '../../components/layout/Dialog.module.css'
import { DialogModal } from '../../components/layout/Modal'
import { ForeignText } from '../../components/values/HexText'
import { useLanguage, useText } from '../../i18n/text'
import { useAttempt } from '../../state/answers/use-answer'
import { useEnvironment } from '../../state/environment'
import { hasNumbers } from '../../state/stores/program-store'
import { Button, Failure } from '../../widgets/controls/Button'
import styles from './Rigs.module.css'

interface RigFormProps {
  /** Null = a new rig. */
  readonly rig: RigView | null
  readonly onClose: () => void
  /** @param name the rig's name from now on */
  readonly onSaved: (name: string) => void
}

export function RigForm(props: RigFormProps) {
  const { rig, onClose } = props
  const t = useText()
  return (
    <DialogModal
      title={rig === null ? t('ui.rigs.add') : t('ui.rigs.changeRig', { name: rig.name })}
      description={<p>{t('ui.rigs.formText')}</p>}
      testId="rig-form"
      onClose={onClose}
    >
      <Fields {...props} />
    </DialogModal>
  )
}

function Fields({ rig, onClose, onSaved }: RigFormProps) {
  const t = useText()
  const form = useRigForm(rig, onSaved)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void form.save()
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      <TextField
        label={t('ui.rigs.formAddress')}
        hint={t('ui.rigs.formAddressHint')}
        placeholder="192.168.1.20:3333"
        isMono
        maxLength={300}
        value={form.entry.address}
        data-testid="rig-form-address"
        onChange={(text) => {
          form.entry.setAddress(text)
          form.touch()
        }}
      />
      <TextField
        label={t('ui.rigs.formName')}
        hint={t('ui.rigs.formNameHint')}
        maxLength={32}
        value={form.entry.name}
        data-testid="rig-form-name"
        onChange={(text) => {
          form.entry.setName(text)
          form.touch()
        }}
      />
      <Token form={form} />
      <Report form={form} />
      <div className={dialog.actions}>
        <Button
          data-testid="rig-form-test"
          needsContact
          isBusy={form.busy !== null}
          disabledReason={form.missing}
          onClick={() => void form.test()}
        >
          {t(form.busy === 'test' ? 'ui.pools.testing' : 'ui.rigs.test')}
        </Button>
        <Button onClick={onClose}>{t('ui.common.cancel')}</Button>
        <Button
          type="submit"
          variant="primary"
          data-testid="rig-form-save"
          needsContact
          isBusy={form.busy !== null}
          disabledReason={form.missing}
        >
          {t(form.isWarned ? 'ui.rigs.saveAnyway' : rig === null ? 'ui.rigs.add' : 'ui.settings.save')}
        </Button>
      </div>
    </form>
  )
}

type Form = ReturnType<typeof useRigForm>

/** A stored token is never shown; it can be kept, replaced or removed. */
function Token({ form }: { readonly form: Form }) {
  const t = useText()
  const { stored, isForgotten, token, setForgotten } = form.entry
  const hint = {
    none: 'ui.rigs.formTokenHint',
    kept: 'ui.rigs.formTokenKept',
    moved: 'ui.rigs.formTokenMoved',
  } as const
  return (
    <div className={styles.token}>
      {!isForgotten && (
        <PasswordField
          label={t('ui.rigs.formToken')}
          testId="rig-form-token"
          handle={token}
          hint={t(hint[stored])}
          onChange={form.touch}
        />
      )}
      {stored === 'kept' && (
        <label className={styles.sounds}>
          <input
            type="checkbox"
            className={styles.check}
            checked={isForgotten}
            data-testid="rig-form-forget"
            onChange={(event) => {
              setForgotten(event.target.checked)
              form.touch()
            }}
          />
          <span>{t('ui.rigs.formForget')}</span>
        </label>
      )}
    </div>
  )
}

function Report({ form: { fault, outcome } }: { readonly form: Form }) {
  const { t, format } = useLanguage()
  if (fault !== '') return <Failure text={fault} testId="rig-form-fault" />
  if (outcome === null) return null
  if (outcome.figures === null)
    return <Failure text={t('ui.rigs.testFailed', { fault: outcome.fault })} testId="rig-test-result" />
  const { gpus, version, hashrate, control } = outcome.figures
  const found = {
    count: gpus.length,
    version,
    hashrate: format.text('hashrate', hasNumbers(outcome.figures) ? hashrate.s60 : null),
  }
  return (
    <div role="status" data-testid="rig-test-result" data-state="ok">
      <p className={styles.done}>
        <ForeignText text={t('ui.rigs.testOk', found)} />
      </p>
      {!control && <p className={styles.warning}>{t('ui.rigs.testReadOnly')}</p>}
    </div>
  )
}

type Typed = ParamsOf<Contract, 'miner.rigSave'>
type Outcome = ResultOf<Contract, 'miner.rigTest'>

/** `kept`: one is stored for this address; `moved`: one is stored, but for a different address. */
type StoredToken = 'none' | 'kept' | 'moved'

/** @param rig null = a new one @param onSaved called with the rig's name from now on */
function useRigForm(rig: RigView | null, onSaved: (name: string) => void) {
  const t = useText()
  const { backend } = useEnvironment()
  const entry = useEntry(rig)
  const { isBusy, failure: fault, attempt, forget } = useAttempt()
  const [asked, setAsked] = useState<'test' | 'save'>('test')
  const busy = isBusy ? asked : null
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [isWarned, setWarned] = useState(false)

  /** An answer applies to what was typed when the test started. */
  const touch = (): void => {
    forget()
    setOutcome(null)
    setWarned(false)
  }
  const run = async (what: 'test' | 'save', act: (params: Typed) => Promise<void>): Promise<void> => {
    setAsked(what)
    touch()
    await attempt(() => act(entry.read()))
  }
  const save = async (params: Typed): Promise<void> => {
    // Users who save despite a failed test have seen why it failed.
    const tried = isWarned || outcome?.ok === true ? null : await backend.call('miner.rigTest', params)
    setOutcome(tried)
    setWarned(tried?.ok === false)
    if (tried?.ok === false) return
    await backend.call('miner.rigSave', params)
    entry.token.current?.clear()
    onSaved(params.name === '' ? params.address.replace(/^http:\/\/|\/$/g, '') : params.name)
  }
  const isEmpty = entry.address.trim() === ''
  return {
    entry,
    busy,
    fault,
    outcome,
    isWarned,
    touch,
    missing: isEmpty ? t('ui.rigs.formNoAddress') : undefined,
    test: () => run('test', async (params) => setOutcome(await backend.call('miner.rigTest', params))),
    save: () => (isEmpty || busy !== null ? Promise.resolve() : run('save', save)),
  }
}

function useEntry(rig: RigView | null) {
  const [address, setAddress] = useState(rig?.host ?? '')
  const [name, setName] = useState(rig?.name ?? '')
  const [isForgotten, setForgotten] = useState(false)
  const token = useRef<PasswordFieldHandle>(null)
  const isMoved = rig !== null && address.trim() !== rig.host
  const stored: StoredToken = rig?.hasToken !== true ? 'none' : isMoved ? 'moved' : 'kept'
  const read = (): Typed => {
    const text = new TextDecoder().decode(token.current?.bytes() ?? new Uint8Array()).trim()
    const isLeft = text === '' && stored === 'kept' && !isForgotten
    return { replaces: rig?.name ?? null, name: name.trim(), address: address.trim(), token: isLeft ? null : text }
  }
  return {
    address,
    name,
    isForgotten,
    token,
    stored,
    read,
    setName,
    setForgotten,
    setAddress: (text: string): void => {
      setAddress(text)
      setForgotten(false)
    },
  }
}
