// A contract's code as bytes, fetched on demand.
import { useState } from 'react'
import { messageOf } from '../../../../../base/errors'
import { Card } from '../../../components/layout/Card'
import { ScrollRegion } from '../../../components/layout/ScrollRegion'
import { CopyButton } from '../../../components/values/HexText'
import { useText } from '../../../i18n/text'
import { useEnvironment } from '../../../state/environment'
import { Button } from '../../../widgets/controls/Button'
import styles from '../Node.module.css'

export function Code({ address }: { readonly address: string }) {
  const t = useText()
  const { backend } = useEnvironment()
  const [{ code, error }, setState] = useState<{ readonly code: string | null; readonly error: string }>({
    code: null,
    error: '',
  })
  const show = async (): Promise<void> => {
    try {
      const answer = await backend.call('node.code', { address })
      setState({ code: answer.code, error: '' })
    } catch (failure: unknown) {
      setState({ code: null, error: messageOf(failure) })
    }
  }
  return (
    <Card
      title={t('ui.node.code')}
      testId="address-program"
      aside={code !== null && <CopyButton text={code} label={t('ui.node.code')} />}
    >
      {code === null && (
        <div className={styles.buttons}>
          <Button needsContact data-testid="code-show" onClick={() => void show()}>
            {t('ui.node.codeShow')}
          </Button>
        </div>
      )}
      {code !== null && (
        <ScrollRegion className={styles.bytes} label={t('ui.node.code')}>
          <code>{code}</code>
        </ScrollRegion>
      )}
      {error !== '' && (
        <p className={styles.bad} role="alert">
          {error}
        </p>
      )}
    </Card>
  )
}
