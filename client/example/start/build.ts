/** What has to be built before anything starts: the service, the page's script, the connector. */
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import type { Command, Parts } from './parts.ts'
import { connectorBinary, root, StartError, say } from './place.ts'

interface Target {
  readonly name: string
  /** The file that is made. */
  readonly output: string
  /** What it is made of. */
  readonly sources: readonly string[]
  readonly command: Pick<Command, 'program' | 'args'>
}

const contract = ['client/src/protocol/*.ts', 'package-lock.json']

const targets: readonly Target[] = [
  {
    name: 'the service',
    output: join(root, 'ds/dist/node.js'),
    sources: ['ds/src/**/*.ts', 'ds/package.json', ...contract],
    command: npm('run', '--silent', 'build', '-w', 'ds'),
  },
  {
    name: 'the page',
    output: join(root, 'client/example/dist/main.js'),
    sources: ['client/example/page/*.ts', 'client/src/**/*.ts'],
    command: {
      program: join(root, 'node_modules/.bin/bun'),
      args: ['build', 'client/example/page/main.ts', '--outdir=client/example/dist', '--minify'],
    },
  },
  {
    name: 'the connector',
    output: connectorBinary,
    sources: ['connector/{src,build}/**/*.ts', 'connector/package.json', ...contract],
    command: npm('run', '--silent', 'build', '-w', 'connector'),
  },
]

/** Builds what is not there, or older than what it is made of. */
export async function build(parts: Parts): Promise<void> {
  for (const target of targets.filter(isStale)) {
    await withSeconds(`Building ${target.name}`, () => make(parts, target))
  }
}

async function make(parts: Parts, { name, command }: Target): Promise<void> {
  const { status, output } = await parts.run({ name, ...command })
  if (status !== 0) throw new StartError(`Cannot build ${name}:\n${output}`)
}

/** npm itself, as it started us: it need not be on the path. */
function npm(...args: readonly string[]): Target['command'] {
  const path = process.env['npm_execpath']
  return path ? { program: process.execPath, args: [path, ...args] } : { program: 'npm', args }
}

function isStale({ output, sources }: Target): boolean {
  const built = statSync(output, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return sources
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
