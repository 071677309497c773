// Unsaved changes of a page, how to save them, and what was refused.
import { useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { OptionView } from '../../../../contract/options'
import { useAttempt } from '../../state/answers/use-attempt'
import { useApp, useEnvironment } from '../../state/environment'

/** By key: as it would be typed, or null for the default. */
type DraftValues = Readonly<Record<string, string | null>>

export interface Draft {
  readonly values: DraftValues
  /** Why a change was refused, by key. */
  readonly errors: Readonly<Record<string, string>>
  readonly isSaving: boolean
  /** That no answer came yet, or why nothing could be saved; empty otherwise. */
  readonly failure: string
  /** Changes written by the last save; 0 once something is changed again. */
  readonly saved: number
  readonly count: number
  /** Undefined discards the change. */
  readonly change: (key: string, value: string | null | undefined) => void
  /** True if nothing was refused. */
  readonly save: () => Promise<boolean>
  readonly discard: () => void
  /** Reverts what the last save changed; null if there is nothing to revert. */
  readonly undo: (() => void) | null
}

/** @param options as the program last reported them */
export function useDraft(options: readonly OptionView[], onSaved: () => Promise<void>): Draft {
  const { backend } = useEnvironment()
  const [values, setValues] = useState<DraftValues>({})
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const { isBusy: isSaving, failure, attempt, run } = useAttempt()
  const startedAt = useApp((state) => state.info?.startedAt ?? 0)
  const [saved, setSaved] = useState({ count: 0, startedAt: 0 })
  /** What the file contained before the last save, newest change first. */
  const [replaced, setReplaced] = useState<readonly (readonly [key: string, before: string | null])[]>([])
  const changes = Object.entries(values)

  const change: Draft['change'] = (key, value) => {
    setSaved({ count: 0, startedAt })
    setReplaced([])
    setErrors(({ [key]: _gone, ...others }) => others)
    setValues(({ [key]: _old, ...others }) => (value === undefined ? others : { ...others, [key]: value }))
  }
  const saveOne = async (key: string, value: string | null): Promise<string> => {
    try {
      await backend.call('app.setOption', { key, value })
      return ''
    } catch (error: unknown) {
      return messageOf(error)
    }
  }
  const save = async (): Promise<boolean> => {
    let refused = 0
    const before = replacedBy(
      changes.map(([key]) => key),
      options,
    )
    const isAnswered = await attempt(async () => {
      const open = await writeAll(changes, saveOne)
      await onSaved()
      setValues(Object.fromEntries(open.map(({ key, value }) => [key, value])))
      setErrors(Object.fromEntries(open.map(({ key, error }) => [key, error])))
      setSaved({ count: changes.length - open.length, startedAt })
      setReplaced(before.filter(([key]) => !open.some((refused) => refused.key === key)))
      refused = open.length
    })
    return isAnswered && refused === 0
  }
  const discard = (): void => {
    setValues({})
    setErrors({})
  }
  const undo = (): void =>
    run(async () => {
      const refused = await writeAll(replaced, saveOne)
      await onSaved()
      setErrors(Object.fromEntries(refused.map(({ key, error }) => [key, error])))
      setReplaced([])
      setSaved({ count: 0, startedAt })
    })
  // what was saved before the last restart is in effect by now
  const savedNow = saved.startedAt === startedAt ? saved.count : 0
  const canUndo = savedNow > 0 && replaced.length > 0
  return {
    values,
    errors,
    isSaving,
    failure,
    saved: savedNow,
    count: changes.length,
    change,
    save,
    discard,
    undo: canUndo ? undo : null,
  }
}

interface Refused {
  readonly key: string
  readonly value: string | null
  readonly error: string
}

/**
 * Some changes are only valid together with others, so refused ones are tried again as long as any was accepted.
 * @param write returns why it was refused; empty if it wasn't
 */
async function writeAll(
  changes: readonly (readonly [key: string, value: string | null])[],
  write: (key: string, value: string | null) => Promise<string>,
): Promise<readonly Refused[]> {
  let open: readonly Refused[] = changes.map(([key, value]) => ({ key, value, error: '' }))
  for (let before = Number.POSITIVE_INFINITY; open.length > 0 && open.length < before; ) {
    before = open.length
    const tried: Refused[] = []
    for (const { key, value } of open) tried.push({ key, value, error: await write(key, value) })
    open = tried.filter(({ error }) => error !== '')
  }
  return open
}

/** A masked value can't be restored. */
function replacedBy(
  keys: readonly string[],
  options: readonly OptionView[],
): readonly (readonly [key: string, before: string | null])[] {
  return options
    .filter(({ key, kind }) => keys.includes(key) && kind !== 'secret')
    .map(({ key, inFile }) => [key, inFile] as const)
    .reverse()
}
