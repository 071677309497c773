// The screens of this run: none of the miner without a miner, of the node without a node, of keys without a signer.
import { useMemo } from 'react'
import { type NavItem, navItems } from '../../navigation/routes'
import { useApp, useOperation } from '../../state/environment'
import { selectIsMonitor } from '../../state/stores/program-store'

/** The services that a screen belongs to; any of them is enough. */
const needs: Readonly<Partial<Record<NavItem['name'], readonly string[]>>> = {
  gpus: ['miner'],
  pools: ['miner'],
  rigs: ['miner', 'monitor'],
  node: ['node'],
  accounts: ['signer'],
}

/** @param services their names; null = not known yet, so every screen is listed */
export function itemsFor(services: readonly string[] | null): readonly NavItem[] {
  if (services === null) return navItems
  return navItems.filter(({ name }) => needs[name]?.some((service) => services.includes(service)) ?? true)
}

export function useNavItems(): readonly NavItem[] {
  const names = useApp(({ status }) => status?.services.map(({ name }) => name).join() ?? null)
  const isMonitor = useOperation(selectIsMonitor)
  return useMemo(
    () => itemsFor(names === null ? null : [...names.split(','), ...(isMonitor ? ['monitor'] : [])]),
    [names, isMonitor],
  )
}
