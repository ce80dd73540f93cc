/** Installs what the service offers, by `cardwire update --yes` in a process of its own: an upgrade replaces this program. */
import { spawn } from 'node:child_process'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { UpdateResult } from '../../../page/view.ts'
import { makeTemporaryFolder } from '../../system/temporary-folder.ts'
import { getSelfCommand } from '../command-context.ts'

/** Bytes of output that are shown: the end says how it went. */
const maxOutput = 4000

/**
 * A download of half a gigabyte, and an installer that asks for a password, take their time: there is no deadline. The output goes
 * into a file: an installer ends this process, and one that writes into a pipe that nobody reads stops half-way.
 */
export async function runUpdate(flags: readonly string[]): Promise<UpdateResult> {
  const folder = await makeTemporaryFolder('cardwire-output-')
  try {
    const file = await open(join(folder, 'output'), 'wx+', 0o600)
    try {
      // Windows removes no open file.
      if (process.platform !== 'win32') await rm(folder, { recursive: true, force: true })
      const { isInstalled, failure } = await runToEnd(flags, file)
      return { isInstalled, output: failure ?? (await readEnd(file)) }
    } finally {
      await file.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function runToEnd(
  flags: readonly string[],
  { fd }: FileHandle,
): Promise<{ readonly isInstalled: boolean; readonly failure?: string }> {
  const [program = '', ...args] = [...getSelfCommand('update'), '--yes', ...flags]
  return new Promise((resolve) => {
    const child = spawn(program, args, { stdio: ['ignore', fd, fd], windowsHide: true })
    child.once('error', ({ message }) => resolve({ isInstalled: false, failure: message }))
    child.once('exit', (status) => resolve({ isInstalled: status === 0 }))
  })
}

async function readEnd(file: FileHandle): Promise<string> {
  const { size } = await file.stat()
  const bytes = Buffer.alloc(Math.min(size, maxOutput))
  await file.read(bytes, 0, bytes.length, size - bytes.length)
  return bytes.toString()
}
