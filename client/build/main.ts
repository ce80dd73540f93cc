/** Builds the package as it is published, into `dist/` or the given folder: modules, types, a package.json of its own. */
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const client = fileURLToPath(new URL('..', import.meta.url))
const dist = resolve(process.argv[2] ?? join(client, 'dist'))

/** What is bundled together shares its modules: the test double has the `CardwireError` of the page. */
const bundles = [
  ['index', 'testing/index'],
  ['describe'],
  ['files'],
  ['server'],
  ['protocol/index'],
]

rmSync(dist, { recursive: true, force: true })
mkdirSync(dist, { recursive: true })
for (const entries of bundles) {
  run('bun', [
    'build',
    ...entries.map((entry) => `src/${entry}.ts`),
    '--root=src',
    `--outdir=${dist}`,
    '--target=browser',
    '--format=esm',
    '--packages=external',
    '--splitting',
    '--chunk-naming=shared.js',
    // Not minified: the build of a page does that.
    '--sourcemap=linked',
  ])
}
run('tsc', [
  '-p',
  '.',
  '--composite',
  'false',
  '--declaration',
  '--rootDir',
  'src',
  '--outDir',
  dist,
])
for (const path of globSync('**/*.d.ts', { cwd: dist })) {
  const text = readFileSync(join(dist, path), 'utf8')
  writeFileSync(join(dist, path), text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
}
const contractOfServers = '{hono,openapi*,parse-input,receive-body,transfer-watch}.d.ts'
for (const path of globSync(`protocol/${contractOfServers}`, { cwd: dist }))
  rmSync(join(dist, path))

const { name, version, description, license, type, sideEffects, dependencies } = JSON.parse(
  readFileSync(join(client, 'package.json'), 'utf8'),
)
const published = {
  name,
  version,
  description,
  license,
  type,
  sideEffects,
  engines: { node: '>=22' },
  exports: {
    '.': { types: './index.d.ts', default: './index.js' },
    './describe': { types: './describe.d.ts', default: './describe.js' },
    './files': { types: './files.d.ts', default: './files.js' },
    './server': { types: './server.d.ts', default: './server.js' },
    './testing': { types: './testing/index.d.ts', default: './testing/index.js' },
    './protocol': { types: './protocol/index.d.ts', default: './protocol/index.js' },
  },
  dependencies,
}
writeFileSync(join(dist, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
for (const file of ['README.md', 'CHANGELOG.md']) copyFileSync(join(client, file), join(dist, file))
cpSync(join(client, 'reference'), join(dist, 'reference'), { recursive: true })

/** Runs a program of the project's node_modules. */
function run(program: string, args: readonly string[]): void {
  const PATH = `${join(client, '../node_modules/.bin')}:${process.env['PATH']}`
  const { status } = spawnSync(program, args, {
    cwd: client,
    env: { ...process.env, PATH },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`Cannot build the client: ${program} ended with ${status}`)
}
