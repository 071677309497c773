// Whether the user can really see the request, and what interferes: read from the page, reported to the machine.
import type { Disposable } from '../../../base/disposable'
import type { Clock } from '../../../base/time'

const MOVE_CHECK_MS = 250

export interface AttentionListener {
  setAttention(hasAttention: boolean): void
  disturb(): void
}

export type WatchAttention = (listener: AttentionListener) => Disposable

/** Watches this page: focus, visibility, size, position and screen, and that no other page frames it. */
export function watchPageAttention(page: Window, clock: Clock): WatchAttention {
  return (listener) => {
    const place = (): string => {
      const { screen, screenX, screenY, devicePixelRatio } = page
      const { width, height, availWidth, availHeight, colorDepth } = screen
      return [screenX, screenY, devicePixelRatio, width, height, availWidth, availHeight, colorDepth].join()
    }
    const state = { place: place() }
    const look = (): void => {
      const { document } = page
      listener.setAttention(document.hasFocus() && document.visibilityState === 'visible' && page.top === page)
    }
    const disturb = (): void => listener.disturb()
    const timer = clock.setInterval(() => {
      look()
      if (place() === state.place) return
      state.place = place()
      listener.disturb()
    }, MOVE_CHECK_MS)
    page.addEventListener('focus', look)
    page.addEventListener('blur', look)
    page.addEventListener('resize', disturb)
    page.document.addEventListener('visibilitychange', look)
    look()
    return {
      dispose() {
        timer.dispose()
        page.removeEventListener('focus', look)
        page.removeEventListener('blur', look)
        page.removeEventListener('resize', disturb)
        page.document.removeEventListener('visibilitychange', look)
      },
    }
  }
}
