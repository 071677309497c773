// What the desktop application menu asks of the dashboard page: only views, nothing that changes the program.
import { z } from 'zod'

/** Name of the window event; its `detail` is a command. */
export const MENU_EVENT = 'headframe:menu'

export const menuCommandSchema = z.discriminatedUnion('do', [
  z.object({ do: z.literal('keys') }),
  z.object({ do: z.literal('freeze') }),
  z.object({ do: z.literal('theme'), theme: z.enum(['system', 'dark', 'light']) }),
])

export type MenuCommand = z.infer<typeof menuCommandSchema>
