/** What has to be built before anything starts: the service, the page's script, and the connector when it is stale. */
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { Parts } from './parts.ts'
import { connectorBinary, root, StartError, say } from './place.ts'

/** What the connector is made of. */
const connectorSources = [
  'connector/{src,build}/**/*.ts',
  'connector/package.json',
  'client/src/protocol/*.ts',
  'package-lock.json',
]

export async function build(parts: Parts): Promise<void> {
  const npm = (workspace: string) => npmCommand(['run', '--silent', 'build', '-w', workspace])
  const page = ['build', 'client/example/page/main.ts', '--outdir=client/example/dist', '--minify']
  const steps = [
    { name: 'the service', ...npm('ds') },
    { name: 'the page', program: join(root, 'node_modules/.bin/bun'), args: page },
  ]
  await Promise.all(steps.map((step) => make(parts, step)))
  if (!isStale()) return
  await withSeconds('Building the connector', () =>
    make(parts, { name: 'the connector', ...npm('connector') }),
  )
}

async function make(parts: Parts, command: Parameters<Parts['run']>[0]): Promise<void> {
  const { status, output } = await parts.run(command)
  if (status !== 0) throw new StartError(`Cannot build ${command.name}:\n${output}`)
}

/** npm itself, as it started us: it need not be on the path. */
function npmCommand(args: readonly string[]) {
  const npm = process.env['npm_execpath']
  return npm
    ? { program: process.execPath, args: [npm, ...args] }
    : { program: 'npm', args: [...args] }
}

function isStale(): boolean {
  const built = statSync(connectorBinary, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return connectorSources
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .some((path) => !path.endsWith('.test.ts') && statSync(join(root, path)).mtimeMs > built)
}

/** Says what is being done, and in a terminal how long it takes already. */
async function withSeconds(what: string, act: () => Promise<void>): Promise<void> {
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  if (!process.stderr.isTTY) say(`${what} …`)
  const show = () => process.stderr.write(`\r${what} … ${seconds()} s`)
  const clock = process.stderr.isTTY ? setInterval(show, 1000) : undefined
  try {
    await act()
  } finally {
    clearInterval(clock)
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  }
  say(`${what}: done in ${seconds()} s`)
}
