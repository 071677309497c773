// What the desktop application menu and the dashboard page share: the screens, and what the menu asks of the page. Only
// views, nothing that changes the program.
import { z } from 'zod'

/** Screens of the navigation and of the menu, in their order, with their route. */
export const screenRoutes = {
  overview: '/',
  gpus: '/gpus',
  pools: '/pools',
  rigs: '/rigs',
  node: '/node',
  accounts: '/accounts',
  activity: '/activity',
  settings: '/settings',
} as const

/** A screen of the navigation. */
export type ScreenName = keyof typeof screenRoutes
export const screenNames = Object.keys(screenRoutes) as ScreenName[]

/** Name of the window event; its `detail` is a command. */
export const MENU_EVENT = 'headframe:menu'

export const menuCommandSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('keys') }),
  z.object({ do: z.literal('freeze') }),
  z.object({ do: z.literal('theme'), theme: z.enum(['system', 'dark', 'light']) }),
])

export type MenuCommand = z.infer<typeof menuCommandSchema>
