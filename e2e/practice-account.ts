// Reads the file that shows newcomers the first account of the practice network.
import { z } from 'zod'
import type { PracticeAccount } from './first-light'

const schema = z.object({ address: z.string().regex(/^0x[0-9a-fA-F]{40}$/), password: z.string().min(10) })

export function readPracticeAccount(text: string): PracticeAccount {
  return schema.parse({
    address: /^address: *(\S+)$/m.exec(text)?.[1],
    password: /^password: *(\S+)$/m.exec(text)?.[1],
  })
}
