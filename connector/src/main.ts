/** The connector: one binary. The roles it starts itself in are told apart first, so that they load no more than they need. */
import { pathToFileURL } from 'node:url'

/** What `cardwire run` gives the registry that it starts. */
const attached = '--attached'

async function main(): Promise<unknown> {
  // With anything behind it a person asks, who is answered by the command line.
  if (process.argv[2] === 'sandbox' && process.argv.length === 3) {
    const { runSandboxRole } = await import('./sandbox/role.ts')
    // Not `import.meta.url`: in a binary with bytecode that is where this file lay when it was built.
    const here = pathToFileURL(Bun.main)
    return runSandboxRole(process.env, new URL('./sandbox/worker.ts', here))
  }
  if (process.argv[2] === 'desktop') {
    const { runDesktop } = await import('./desktop/windows-role.ts')
    return runDesktop()
  }
  if (process.argv[2] === 'registry' && process.argv[3] === attached) {
    const { runAttachedRegistry } = await import('./registry/attached.ts')
    return runAttachedRegistry(process.env)
  }
  const { runProgram } = await import('./commands/program.ts')
  return runProgram()
}

void main()
