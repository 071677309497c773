// After an approval for an account on an offline device: shows the request as QR codes and as a file, and takes the
// signature back.
import { useCallback, useEffect, useState } from 'react'
import type { RequestView } from '../../../../contract/signer'
import { Failure } from '../../components/faults/Failure'
import { saveText } from '../../components/values/copy-text'
import { QrCode } from '../../components/values/QrCode'
import { useText } from '../../i18n/text'
import { useAnswer } from '../../state/answers/use-answer'
import { useAttempt } from '../../state/answers/use-attempt'
import { useEnvironment } from '../../state/environment'
import { Button } from '../../widgets/controls/Button'
import styles from '../Approval.module.css'

/** How long each of several codes is shown. */
const CODE_MS = 400
const CODE_PX = 240
/** A signature has 200 bytes, a file with one a little more. */
const MAX_FILE_BYTES = 20_000

interface Unsigned {
  readonly requestId: string
  readonly ur: readonly string[]
  readonly file: string
}

export function CarriedSignature({ request: { id } }: { readonly request: RequestView }) {
  const t = useText()
  const { backend } = useEnvironment()
  const unsigned = useAnswer(useCallback(() => backend.call('signer.unsigned', { id }), [backend, id]))
  const [text, setText] = useState('')
  const { failure, run } = useAttempt()
  return (
    <section className={styles.carried} data-testid="carried-signature" aria-label={t('ui.carried.title')}>
      <p>{t('ui.carried.text')}</p>
      {unsigned.value !== null && <HandedOut unsigned={unsigned.value} />}
      <label className={styles.tail}>
        <span>{t('ui.carried.signature')}</span>
        <textarea
          data-testid="carried-text"
          rows={3}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      <input
        type="file"
        data-testid="carried-file"
        aria-label={t('ui.carried.fromFile')}
        onChange={(event) => void readInto(event.target.files?.[0], setText)}
      />
      <Failure text={failure === '' ? unsigned.reason : failure} testId="carried-error" />
      <Choices text={text} onGive={(given) => run(() => backend.call('signer.giveSignature', { id, text: given }))} />
    </section>
  )
}

interface ChoicesProps {
  readonly text: string
  /** Null: the user gives up on signing it. */
  readonly onGive: (text: string | null) => void
}

function Choices({ text, onGive }: ChoicesProps) {
  const t = useText()
  return (
    <div className={styles.buttons}>
      <Button data-testid="carried-give-up" onClick={() => onGive(null)}>
        {t('ui.carried.giveUp')}
      </Button>
      <Button
        variant="primary"
        data-testid="carried-give"
        disabledReason={text.trim() === '' ? t('ui.carried.missing') : undefined}
        onClick={() => onGive(text)}
      >
        {t('ui.carried.give')}
      </Button>
    </div>
  )
}

/** The codes in turn, and the same content as a file. */
function HandedOut({ unsigned: { requestId, ur, file } }: { readonly unsigned: Unsigned }) {
  const t = useText()
  const { clock } = useEnvironment()
  const [at, setAt] = useState(0)
  useEffect(() => {
    if (ur.length < 2) return
    const turning = clock.setInterval(() => setAt((now) => (now + 1) % ur.length), CODE_MS)
    return () => turning.dispose()
  }, [clock, ur.length])
  const part = ur[at]
  return (
    <>
      {part === undefined ? (
        <p>{t('ui.carried.tooLong')}</p>
      ) : (
        <QrCode text={part} label={t('ui.carried.code', { number: at + 1, count: ur.length })} sizePx={CODE_PX} />
      )}
      <Button data-testid="carried-download" onClick={() => saveText(file, `${requestId}.json`, 'application/json')}>
        {t('ui.carried.save')}
      </Button>
    </>
  )
}

async function readInto(file: File | undefined, take: (text: string) => void): Promise<void> {
  if (file !== undefined) take(await file.slice(0, MAX_FILE_BYTES).text())
}
