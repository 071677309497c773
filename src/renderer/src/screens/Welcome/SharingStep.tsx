// Who may view this miner: only this machine, or phones and computers at home with a token.

import { HashText } from '../../components/values/HexText'
import { QrCode } from '../../components/values/QrCode'
import { useText } from '../../i18n/text'
import { usePlace } from '../../state/answers/use-place'
import { HOME_BIND } from '../../state/welcome-plan'
import { Options } from './Options'
import type { Planning } from './use-plan'
import styles from './Welcome.module.css'

export function SharingStep({ planning: { plan, secrets, change } }: { readonly planning: Planning }) {
  const t = useText()
  const place = usePlace()
  const host = place?.addresses[0] ?? null
  const port = HOME_BIND.split(':')[1]
  const link = host === null ? null : `http://${host}:${port}/#token=${secrets.token}`
  return (
    <>
      <Options
        label={t('ui.welcome.step.sharing')}
        value={plan.sharing}
        options={[
          { value: 'local', title: t('ui.welcome.local'), text: t('ui.welcome.localText') },
          { value: 'home', title: t('ui.welcome.home'), text: t('ui.welcome.homeText') },
        ]}
        onChange={(sharing) => change({ sharing })}
      />
      {plan.sharing === 'home' && (
        <div className={styles.share}>
          {link !== null && <QrCode text={link} label={t('ui.welcome.qr')} />}
          <div>
            <p>{t('ui.welcome.tokenText')}</p>
            <p data-testid="welcome-token">
              <HashText hex={secrets.token} isFull label={t('ui.login.token')} />
            </p>
            {link === null && <p className={styles.text}>{t('ui.welcome.noAddress')}</p>}
          </div>
        </div>
      )}
    </>
  )
}
