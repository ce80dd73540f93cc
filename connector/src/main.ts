/** The connector: one binary. The sandbox is told apart first, so that it loads nothing but what talks to readers. */

async function main(): Promise<unknown> {
  if (process.argv[2] === 'sandbox') {
    const { runSandboxRole } = await import('./sandbox/role.ts')
    return runSandboxRole(process.env, new URL('./sandbox/worker.ts', import.meta.url))
  }
  const { runProgram } = await import('./commands/program.ts')
  return runProgram()
}

void main()
