// Announces the state to screen readers: immediately when health changes, otherwise at most every half minute. Ticking
// numbers are never read out.
import { useEffect, useRef, useState } from 'react'
import { useText } from '../../i18n/text'
import { useApp, useEnvironment, useMiner, useOperation, useSigner } from '../../state/environment'
import { selectIsOpen } from '../../state/stores/app-store'
import { selectMiningCount } from '../../state/stores/miner-store'
import { selectIsMonitor, selectSilentRigs } from '../../state/stores/operation-store'
import { selectWaitingCount } from '../../state/stores/signer-store'
import { useHealth } from '../../state/use-health'

const EVERY_MS = 30_000

export function Announcer() {
  const t = useText()
  const { clock } = useEnvironment()
  const isOpen = useApp(selectIsOpen)
  const { summary: own, count: wrong, isKnown } = useHealth()
  const mining = useMiner(selectMiningCount)
  const waiting = useSigner(selectWaitingCount)
  // A monitor's own miner is off: it is its rigs that work or don't.
  const isMonitor = useOperation(selectIsMonitor)
  const silent = useOperation(selectSilentRigs)
  const online = useOperation((state) => state.rigs?.totals.online ?? 0)
  const count = useOperation((state) => state.rigs?.totals.rigs ?? 0)
  const isUnheard = isMonitor && silent > 0 && own === 'ok'
  const summary = isUnheard ? 'unproven' : own
  const text = [
    `${isUnheard ? t('ui.health.rigsSilent', { count: silent }) : t(`ui.health.${own}`, { count: wrong })}.`,
    isMonitor ? `${t('ui.status.rigs', { online, count })}.` : t('ui.summary.mining', { count: mining }),
    t('ui.summary.waiting', { count: waiting }),
  ]
    .join(' ')
    .trim()
  const said = useRef({ summary: '', at: Number.NEGATIVE_INFINITY })
  const [shown, setShown] = useState('')
  useEffect(() => {
    if (!isOpen) {
      // Without contact the last announcement is outdated, and the bar says since when. All is announced again after
      // contact returns.
      said.current = { summary: '', at: Number.NEGATIVE_INFINITY }
      setShown('')
      return
    }
    if (!isKnown) return
    const say = (): void => {
      said.current = { summary, at: clock.monotonic() }
      setShown(text)
    }
    const waitMs = said.current.summary === summary ? said.current.at + EVERY_MS - clock.monotonic() : 0
    if (waitMs <= 0) return say()
    const timer = clock.setTimeout(say, waitMs)
    return () => timer.dispose()
  }, [isOpen, isKnown, summary, text, clock])
  return (
    <p className="visually-hidden" aria-live="polite" data-testid="announcer">
      {shown}
    </p>
  )
}
