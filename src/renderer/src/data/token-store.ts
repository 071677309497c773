// Where the browser keeps the session token: for the tab, or on the device if the user asked for that.
const KEY = 'headframe.token'

export interface TokenStore {
  read(): string | null
  write(token: string, remember: boolean): void
  /** Removes this token wherever it is; a different one remembered on the device stays. */
  forget(token: string): void
}

/** @param session gone with the tab @param pathname a proxy may serve several rigs under one name, each with a token */
export function createTokenStore(session: Storage, device: Storage, pathname: string): TokenStore {
  const folder = pathname.slice(0, pathname.lastIndexOf('/'))
  const key = `${KEY}${folder}`
  return {
    read: () => session.getItem(key) ?? device.getItem(key),
    write(token, remember) {
      session.setItem(key, token)
      if (remember) device.setItem(key, token)
    },
    forget(token) {
      for (const storage of [session, device]) {
        if (storage.getItem(key) === token) storage.removeItem(key)
      }
    },
  }
}

/** Takes `#token=...` out of the address bar, so that no history entry, bookmark or screenshot contains it. */
export function takeTokenFromAddress(page: Pick<Window, 'location' | 'history'>): string | null {
  const { hash, pathname, search } = page.location
  const match = /^#token=([^&]*)/.exec(hash)
  if (match === null) return null
  page.history.replaceState(null, '', `${pathname}${search}#/`)
  return decodeToken(match[1] ?? '') || null
}

/** Does the same for a link entered into the address bar of an open page, since that doesn't load the page again. */
export function watchAddress(page: Window, onToken: (token: string) => void): void {
  page.addEventListener('hashchange', () => {
    const token = takeTokenFromAddress(page)
    if (token === null) return
    onToken(token)
    page.dispatchEvent(new HashChangeEvent('hashchange')) // whoever displays the address reads it again
  })
}

function decodeToken(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a stray % belongs to the token itself
  }
}
