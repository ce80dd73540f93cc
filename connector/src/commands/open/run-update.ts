/** Installs what the service offers, by `cardwire update --yes` in a process of its own: an upgrade replaces this program. */
import { spawn } from 'node:child_process'
import type { UpdateResult } from '../../../page/view.ts'
import { getSelfCommand } from '../command-context.ts'

/** Characters of output that are shown: the end says how it went. */
const maxOutput = 4000

/** A download of half a gigabyte, and an installer that asks for a password, take their time: there is no deadline. */
export function runUpdate(flags: readonly string[]): Promise<UpdateResult> {
  const [program = '', ...args] = [...getSelfCommand('update'), '--yes', ...flags]
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
    let output = ''
    const keep = (chunk: Buffer) => {
      output = `${output}${chunk}`.slice(-maxOutput)
    }
    child.stdout.on('data', keep)
    child.stderr.on('data', keep)
    child.once('error', ({ message }) => resolve({ isInstalled: false, output: message }))
    child.once('close', (status) => resolve({ isInstalled: status === 0, output }))
  })
}
