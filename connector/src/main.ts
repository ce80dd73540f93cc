/** The entry of the connector: dispatches to the role of this process first, so that each role loads only what it needs. */
import { pathToFileURL } from 'node:url'
import { getSafeFolder } from './system/libraries/system-libraries.ts'

/** The argument with which `cardwire run` starts its own registry. */
const attachedFlag = '--attached'

async function main(): Promise<unknown> {
  // The folder it was started in may be one where pages or other accounts put files.
  process.chdir(getSafeFolder())
  // Without a handler a write beyond RLIMIT_FSIZE ends the process; with one it fails with EFBIG (setrlimit(2)).
  process.on('SIGXFSZ', () => undefined)
  // With further arguments a user typed it, and the command line responds.
  if (process.argv[2] === 'sandbox' && process.argv.length === 3) {
    const { runSandboxFromEnvironment } = await import('./sandbox/environment.ts')
    // Not `import.meta.url`: in a binary with bytecode that is where this file lay when it was built.
    const here = pathToFileURL(Bun.main)
    return runSandboxFromEnvironment(process.env, new URL('./sandbox/worker.ts', here))
  }
  if (process.argv[2] === 'card' && process.argv.length === 3) {
    const { runCardProcess } = await import('./sandbox/run-card-process.ts')
    return runCardProcess(process.env)
  }
  if (process.argv[2] === 'token' && process.argv.length === 3) {
    const { runTokenProcess } = await import('./sandbox/tokens/run-token-process.ts')
    return runTokenProcess()
  }
  if (process.argv[2] === 'desktop') {
    const { runDesktopHelper } = await import('./system/desktop/windows-helper-main.ts')
    return runDesktopHelper()
  }
  if (process.argv[2] === 'spooler') {
    const { runSpoolerHelper } = await import('./files/printing/spooler-main.ts')
    return runSpoolerHelper()
  }
  if (process.argv[2] === 'keys') {
    const { runKeyHelper } = await import('./sandbox/windows-keys/key-main.ts')
    return runKeyHelper()
  }
  if (process.argv[2] === 'registry' && process.argv[3] === attachedFlag) {
    const { runRegistryChild } = await import('./registry/run-child.ts')
    return runRegistryChild(process.env)
  }
  const { runProgram } = await import('./commands/program.ts')
  return runProgram()
}

void main()
