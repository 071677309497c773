// The messages in the corner: polite, closed by time, a click or Escape; time stands still under the pointer or the focus.
import { TriangleAlert, X } from 'lucide-react'
import { Toast as Radix } from 'radix-ui'
import { useStore } from 'zustand'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { goTo } from '../../navigation/router'
import { useEnvironment } from '../../state/environment'
import type { ToastAction } from '../../state/layers'
import { Button } from '../../widgets/controls/Button'
import styles from './Toasts.module.css'

const MS_PER_S = 1000

export function ToastList({ className }: { readonly className: string | undefined }) {
  const t = useText()
  const { toasts } = useEnvironment().stores
  const shown = useStore(toasts.store, (state) => state.shown)
  const act = (id: number, action: ToastAction): void => {
    toasts.close(id)
    if ('run' in action) action.run()
    else goTo(action.route)
  }
  return (
    <Radix.Provider label={t('ui.notice.label')}>
      {shown.map(({ id, title, text, tone, seconds, action, testId }) => (
        <Radix.Root
          key={id}
          className={styles.toast}
          data-testid={testId}
          duration={seconds * MS_PER_S}
          type="background"
          onOpenChange={(isOpen) => !isOpen && toasts.close(id)}
        >
          {tone === 'warn' && <TriangleAlert aria-hidden="true" />}
          <div className={styles.words}>
            <Radix.Title className={styles.title}>
              <ForeignText text={title} />
            </Radix.Title>
            <Radix.Description className={styles.text}>
              <ForeignText text={text} />
            </Radix.Description>
          </div>
          {action !== null && (
            <Radix.Action asChild altText={action.label}>
              <Button variant="link" size="small" data-testid={action.testId} onClick={() => act(id, action)}>
                {action.label}
              </Button>
            </Radix.Action>
          )}
          <Radix.Close asChild>
            <Button
              variant="quiet"
              size="small"
              isBare
              aria-label={t('ui.common.close')}
              icon={<X aria-hidden="true" />}
            />
          </Radix.Close>
        </Radix.Root>
      ))}
      <Radix.Viewport className={className} />
    </Radix.Provider>
  )
}
