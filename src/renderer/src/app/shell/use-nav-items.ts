// The screens that this start has: no miner without one, no node without one, no keys without a signer.
import { useMemo } from 'react'
import { type NavItem, navItems } from '../../navigation/routes'
import { useApp, useFleet } from '../../state/environment'
import { selectIsMonitor } from '../../state/stores/fleet-store'

/** Services whose screens these are; any of them is enough. */
const needs: Readonly<Partial<Record<NavItem['name'], readonly string[]>>> = {
  gpus: ['miner'],
  pools: ['miner'],
  rigs: ['miner', 'monitor'],
  node: ['node'],
  accounts: ['signer'],
}

/** @param services their names; null = not known yet, and then everything is listed */
export function itemsFor(services: readonly string[] | null): readonly NavItem[] {
  if (services === null) return navItems
  return navItems.filter(({ name }) => needs[name]?.some((service) => services.includes(service)) ?? true)
}

export function useNavItems(): readonly NavItem[] {
  const names = useApp(({ status }) => status?.services.map(({ name }) => name).join() ?? null)
  const isMonitor = useFleet(selectIsMonitor)
  return useMemo(
    () => itemsFor(names === null ? null : [...names.split(','), ...(isMonitor ? ['monitor'] : [])]),
    [names, isMonitor],
  )
}
