// Adds a peer by its enode URL: connects now, and again whenever the connection is lost.
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../../../../base/errors'
import { TextField } from '../../../components/forms/TextField'
import { Card } from '../../../components/layout/Card'
import { useText } from '../../../i18n/text'
import { useEnvironment } from '../../../state/environment'
import { Button } from '../../../widgets/controls/Button'
import styles from '../Node.module.css'

export function AddPeer() {
  const t = useText()
  const { backend } = useEnvironment()
  const [enode, setEnode] = useState('')
  const [error, setError] = useState('')
  const [isAdded, setAdded] = useState(false)
  const add = async (): Promise<void> => {
    if (backend.connection().kind !== 'open') return
    const text = enode.trim()
    if (text === '') return setError(t('ui.node.addPeerEmpty'))
    try {
      await backend.call('node.addPeer', { enode: text })
      setEnode('')
      setAdded(true)
    } catch (failure: unknown) {
      setError(messageOf(failure))
    }
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    void add()
  }
  return (
    <Card title={t('ui.node.addPeer')} testId="peer-add">
      <form className={styles.addPeer} onSubmit={submit}>
        <TextField
          label={t('ui.node.enode')}
          hint={t('ui.node.addPeerHint')}
          value={enode}
          error={error}
          isMono
          maxLength={512}
          data-testid="peer-enode"
          onChange={(text) => {
            setEnode(text)
            setError('')
            setAdded(false)
          }}
        />
        <Button type="submit" needsContact data-testid="peer-add-submit">
          {t('ui.node.addPeerButton')}
        </Button>
      </form>
      {isAdded && <p role="status">{t('ui.node.addPeerDone')}</p>}
    </Card>
  )
}
