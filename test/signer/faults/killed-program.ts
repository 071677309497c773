// Runs one operation in a process that dies at a step of it.
import { writeSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { type FaultPlan, FaultyFiles } from './faulty-files'
import { type OperationName, operations } from './operations'

async function main(): Promise<void> {
  const [root = '', name = '', kind = 'kill', at = '0', links = ''] = process.argv.slice(2)
  const told = writeSync
  const handle = await open(process.execPath)
  const files = new FaultyFiles(handle)
  await handle.close()
  files.arm({ kind: kind as FaultPlan['kind'], at: Number(at), hasNoLinks: links === 'no-links' })
  await operations[name as OperationName].run(root, (word) => void told(1, `${word}\n`))
}

void main()
