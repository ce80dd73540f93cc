/** Builds each package as it is published, into `dist/NAME` or the given folder: modules, types, and its own package.json. */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, posix, relative, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type Package, packages } from './packages.ts'

/** What a package.json of a source has. */
interface Manifest {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly type: string
  readonly sideEffects: boolean
  readonly exports: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const client = fileURLToPath(new URL('..', import.meta.url))
const target = resolve(process.argv[2] ?? join(client, 'dist'))

rmSync(target, { recursive: true, force: true })
for (const one of packages) build(one, join(target, one.name))

function build(one: Package, dist: string): void {
  const source = join(client, one.folder)
  const manifest: Manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  const installed = [
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.peerDependencies ?? {}),
  ]
  mkdirSync(dist, { recursive: true })
  bundle(one, source, dist, installed)
  writeTypes(one, one.name === 'client' ? 'client' : `client-${one.name}`, dist)
  writeFileSync(join(dist, 'package.json'), `${JSON.stringify(publish(manifest), null, 2)}\n`)
  for (const file of ['README.md', 'CHANGELOG.md', 'guides', 'reference']) {
    if (existsSync(join(source, file)))
      cpSync(join(source, file), join(dist, file), { recursive: true })
  }
  unlinkMissing(dist)
}

/** Keeps the text of links to files that are in this repository, and not in the package. */
function unlinkMissing(dist: string): void {
  for (const path of globSync('**/*.md', { cwd: dist })) {
    const file = join(dist, path)
    const text = readFileSync(file, 'utf8')
    const linked = text.replaceAll(
      /\[([^\]]*)\]\((?![a-z]+:|#)([^)#\s]+)[^)]*\)/g,
      (link, words, to) =>
        existsSync(join(dirname(file), to)) &&
        !relative(dist, join(dirname(file), to)).startsWith('..')
          ? link
          : words,
    )
    writeFileSync(file, linked)
  }
}

/** Bundles everything but what is installed with the package. */
function bundle(
  { bundles, banner }: Package,
  source: string,
  dist: string,
  installed: readonly string[],
): void {
  for (const entries of bundles) {
    run('bun', source, [
      'build',
      ...entries.map((entry) => `src/${entry}.ts`),
      '--root=src',
      `--outdir=${dist}`,
      '--target=browser',
      '--format=esm',
      ...installed.flatMap((name) => [`--external=${name}`, `--external=${name}/*`]),
      '--splitting',
      '--chunk-naming=shared-[hash].js',
      // Not minified: the build of a page does that.
      '--sourcemap=linked',
      ...(banner === undefined ? [] : [`--banner=${banner}`]),
    ])
  }
}

/** Writes the declarations that an entry needs, and no others. */
function writeTypes({ folder, bundles }: Package, types: string, dist: string): void {
  const sources = join(client, '../node_modules/.cache/types', types, 'src')
  run('tsc', client, ['-b', folder])
  const needed = new Set(bundles.flat().map((entry) => `${entry}.d.ts`))
  for (const path of needed) {
    const text = readFileSync(join(sources, path), 'utf8')
    mkdirSync(dirname(join(dist, path)), { recursive: true })
    writeFileSync(join(dist, path), text.replaceAll(/(from '\.[^']*)\.tsx?'/g, "$1.js'"))
    for (const [, from = ''] of text.matchAll(/(?:from |import\()'(\.[^']*)\.tsx?'/g))
      needed.add(posix.join(posix.dirname(path), `${from}.d.ts`))
  }
}

/** The manifest without what is only for this repository; `./src/x.ts` is `./x.js`, with its types beside it. */
function publish(manifest: Manifest): object {
  const { name, version, description, license, type, sideEffects } = manifest
  const built = Object.entries(manifest.exports).flatMap(([key, source]) => {
    const path = source.replace('./src/', './').replace(/\.tsx?$/, '')
    return key.includes('*') ? [] : [[key, { types: `${path}.d.ts`, default: `${path}.js` }]]
  })
  return {
    ...{ name, version, description, license, type, sideEffects },
    engines: { node: '>=22' },
    exports: Object.fromEntries(built),
    dependencies: manifest.dependencies,
    peerDependencies: manifest.peerDependencies,
  }
}

/** Runs a program of the project's node_modules. */
function run(program: string, cwd: string, args: readonly string[]): void {
  const PATH = `${join(client, '../node_modules/.bin')}:${process.env['PATH']}`
  const { status } = spawnSync(program, args, {
    cwd,
    // With the production build's functions for JSX.
    env: { ...process.env, PATH, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`Cannot build the client: ${program} ended with ${status}`)
}
