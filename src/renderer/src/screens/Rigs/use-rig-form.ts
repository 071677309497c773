// The form of a rig: what was typed, what a test found, and what is wrong with it. The token stays in its field until
// it is sent.
import { useRef, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { ParamsOf, ResultOf } from '../../../../base/wire/define'
import type { Contract } from '../../../../contract/contract'
import type { RigView } from '../../../../contract/rigs'
import type { PasswordFieldHandle } from '../../components/forms/PasswordField'
import { useText } from '../../i18n/text'
import { useEnvironment } from '../../state/environment'

type Typed = ParamsOf<Contract, 'miner.rigSave'>
type Outcome = ResultOf<Contract, 'miner.rigTest'>

/** `kept`: one is stored for this address; `moved`: one is stored, but for a different address. */
type StoredToken = 'none' | 'kept' | 'moved'

/** @param rig null = a new one @param onSaved called with the rig's name from now on */
export function useRigForm(rig: RigView | null, onSaved: (name: string) => void) {
  const t = useText()
  const { backend } = useEnvironment()
  const entry = useEntry(rig)
  const [busy, setBusy] = useState<'test' | 'save' | null>(null)
  const [fault, setFault] = useState('')
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const [isWarned, setWarned] = useState(false)

  /** An answer applies to what was typed when the test started. */
  const touch = (): void => {
    setFault('')
    setOutcome(null)
    setWarned(false)
  }
  const run = async (what: 'test' | 'save', act: (params: Typed) => Promise<void>): Promise<void> => {
    setBusy(what)
    touch()
    try {
      await act(entry.read())
    } catch (error: unknown) {
      setFault(messageOf(error))
    }
    setBusy(null)
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
