// What is hidden from link visitors: the program sends nothing for it, so the screen says so immediately.
import type { AppInfoView } from '../../../contract/app'
import type { Route } from '../navigation/routes'

type Link = NonNullable<AppInfoView['link']>

/** Pages about this device's own preferences and about the program. */
const OPEN_SETTINGS: readonly string[] = ['general', 'accessibility', 'about', 'appearance']

export function isWithheld(route: Route, { hides }: Pick<Link, 'hides'>): boolean {
  switch (route.screen) {
    case 'rules':
    case 'approval':
    case 'activity':
    case 'welcome':
      return true
    case 'accounts':
    case 'account':
    case 'address':
    case 'transaction':
      return hides
    case 'node':
      return route.tab === 'rpc' || (hides && (route.tab === 'peers' || route.tab === 'mempool'))
    case 'settings':
      return !OPEN_SETTINGS.includes(route.section)
    default:
      return false
  }
}
