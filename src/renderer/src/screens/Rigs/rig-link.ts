// An address at which someone else can open the page of a rig.
import type { RigView } from '../../../../contract/rigs'
import { hrefOf } from '../../navigation/router'
import { useApp } from '../../state/environment'

/**
 * In a browser, this page's own address; in a window, the address that serves it, otherwise the rig's own dashboard.
 */
export function useLinkTo({ name, host }: Pick<RigView, 'name' | 'host'>): string {
  const api = useApp((state) => state.info?.endpoints.api ?? null)
  const page = hrefOf(`/rigs/${encodeURIComponent(name)}`)
  const { protocol, origin, pathname } = window.location
  if (protocol === 'http:' || protocol === 'https:') return `${origin}${pathname}${page}`
  return api === null ? `http://${host}/` : `http://${api}/${page}`
}
