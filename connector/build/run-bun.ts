/** Runs a command of the Bun that runs this. */

/** Resolves with its standard output. Throws with what it said when it fails. */
export async function runBun(...args: readonly string[]): Promise<string> {
  const child = Bun.spawn([process.execPath, ...args], { stdout: 'pipe', stderr: 'pipe' })
  const [code, output, stderr] = await Promise.all([
    child.exited,
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ])
  if (code !== 0) throw new Error(`Cannot run "bun ${args.join(' ')}":\n${stderr}`)
  return output
}
