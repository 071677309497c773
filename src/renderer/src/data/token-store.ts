// Where the browser keeps the session token: for the tab, or for the device when the user asked for that.
const KEY = 'headframe.token'

export interface TokenStore {
  read(): string | null
  write(token: string, remember: boolean): void
  clear(): void
}

/** Tokens in `session` (gone with the tab) or `device`. */
export function createTokenStore(session: Storage, device: Storage): TokenStore {
  return {
    read: () => session.getItem(KEY) ?? device.getItem(KEY),
    write(token, remember) {
      session.setItem(KEY, token)
      if (remember) device.setItem(KEY, token)
    },
    clear() {
      session.removeItem(KEY)
      device.removeItem(KEY)
    },
  }
}

/**
 * Takes the token of a link such as `http://127.0.0.1:3333/#token=...` and removes it from the address bar,
 * so that it is in no history entry, bookmark or screenshot.
 */
export function takeTokenFromAddress(page: Pick<Window, 'location' | 'history'>): string | null {
  const match = /^#token=([^&]+)$/.exec(page.location.hash)
  if (match === null) return null
  page.history.replaceState(null, '', `${page.location.pathname}${page.location.search}#/`)
  return decodeToken(match[1] ?? '')
}

function decodeToken(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text // a stray % belongs to the token itself
  }
}
