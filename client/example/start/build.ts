/** Builds the service, the page's script and the connector, where they are missing or out of date. */
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { connectorBinary, root } from './paths.ts'
import type { Command, ProcessGroup } from './processes.ts'
import { printLine, StartError } from './terminal.ts'

interface Target {
  readonly name: string
  /** The file that the command makes. */
  readonly output: string
  /** The files that it is made of, as glob patterns. */
  readonly sources: readonly string[]
  readonly command: Pick<Command, 'program' | 'args'>
}

const contract = ['client/protocol/src/*.ts', 'package-lock.json']

const targets: readonly Target[] = [
  {
    name: 'the service',
    // The last file that the command makes.
    output: join(root, 'ds/dist/admin.js'),
    sources: ['ds/src/**/*.ts', 'ds/package.json', ...contract],
    command: createNpmCommand('run', '--silent', 'build', '-w', 'ds'),
  },
  {
    name: 'the page',
    output: join(root, 'client/example/dist/main.js'),
    sources: ['client/example/page/*.ts', 'client/src/**/*.ts', ...contract],
    command: {
      program: join(root, 'node_modules/.bin/bun'),
      args: ['build', 'client/example/page/main.ts', '--outdir=client/example/dist', '--minify'],
    },
  },
  {
    name: 'the connector',
    output: connectorBinary,
    sources: ['connector/{src,build}/**/*.ts', 'connector/package.json', ...contract],
    command: createNpmCommand('run', '--silent', 'build', '-w', 'connector'),
  },
]

/** Builds each target that is missing, or older than one of its sources. */
export async function build(processes: ProcessGroup): Promise<void> {
  for (const target of targets.filter(isStale)) {
    await withProgress(`Building ${target.name}`, () => buildTarget(processes, target))
  }
}

async function buildTarget(processes: ProcessGroup, { name, command }: Target): Promise<void> {
  const { status, output } = await processes.run({ name, ...command })
  if (status !== 0) throw new StartError(`Cannot build ${name}:\n${output}`)
}

/** The npm that started this program; it need not be on the path. */
function createNpmCommand(...args: readonly string[]): Target['command'] {
  const path = process.env['npm_execpath']
  return path ? { program: process.execPath, args: [path, ...args] } : { program: 'npm', args }
}

function isStale({ output, sources }: Target): boolean {
  const built = statSync(output, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return sources
    .flatMap((pattern) => globSync(pattern, { cwd: root }))
    .some((path) => !path.endsWith('.test.ts') && statSync(join(root, path)).mtimeMs > built)
}

/** Prints what is being done, and in a terminal the seconds since it began. */
async function withProgress(what: string, act: () => Promise<void>): Promise<void> {
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  if (!process.stderr.isTTY) printLine(`${what} …`)
  const show = () => process.stderr.write(`\r${what} … ${seconds()} s`)
  const clock = process.stderr.isTTY ? setInterval(show, 1000) : undefined
  try {
    await act()
  } finally {
    clearInterval(clock)
    if (process.stderr.isTTY) process.stderr.write('\r\u001b[K')
  }
  printLine(`${what}: done in ${seconds()} s`)
}
