/** Who may import what, as three tables, and what in the tree breaks them; circles of files break them too. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** Highest first. A place is a folder or a file; of several that match a file the longest counts. */
export type Layers = readonly (readonly string[])[]

/** A layer imports only from the layers below it, types included; places in one layer do not import each other. */
export const layersOf: Readonly<Record<string, Layers>> = {
  'connector/src': [
    ['main.ts'],
    ['commands'],
    ['api'],
    ['registry'],
    ['certificates'],
    ['distribution'],
    ['user'],
    ['sandbox'],
    ['files', 'pki'],
    ['http'],
    ['system'],
    ['settings.ts', 'version.ts', 'small-file.ts'],
    ['setting-values.ts', 'languages'],
  ],
  'connector/src/distribution': [
    ['management.ts', 'machine-device.ts', 'synchronize-once.ts'],
    ['device.ts'],
    ['policy', 'keystore', 'update'],
    ['sync'],
    ['client'],
    ['distribution.ts', 'token-authority.ts'],
  ],
  'ds/src': [
    ['node.ts', 'deno.ts', 'worker.ts', 'postgres-worker.ts', 'admin'],
    ['self-hosted', 'create-worker.ts'],
    ['assemble.ts', 'app.ts'],
    ['pages', 'routes'],
    ['http', 'sync', 'webhooks'],
    ['services.ts'],
    ['auth'],
    ['gateway', 'packages'],
    ['db'],
    ['settings.ts', 'log.ts'],
    ['environment.ts'],
    ['rules', 'languages', 'ports.ts', 'resources.ts', 'version.ts'],
  ],
  'ds/src/auth': [
    ['gateway-check.ts'],
    ['authorize.ts'],
    ['programs'],
    ['assertion.ts', 'identity'],
    ['keys', 'device-keys.ts', 'first-steps.ts', 'key-uses.ts', 'rate-limit.ts', 'request-key.ts'],
  ],
}

const tests = [
  '**/*.test.ts',
  '{.ci,test}/**',
  '*/{admin-tests,bench,example,packages,release,test}/**',
]
const entries = [
  'ds/src/{node,deno,worker,postgres-worker,create-worker}.ts',
  'ds/src/{admin,self-hosted}/**',
]
const databases = 'ds/src/db/{better-sqlite3,node-sqlite,d1,hyperdrive}.ts'
const passwords = 'ds/src/auth/identity/password.ts'
const keystores = 'ds/src/packages/open-keystore.ts'

/** Files, packages and builtin modules that only some files import, types included. */
export const importersOf: readonly ImportersRule[] = [
  { names: workspace('ds'), by: ['ds/**', 'test/{campaigns,simulation}/**'] },
  { names: workspace('connector'), by: ['connector/**', 'test/{campaigns,simulation}/**'] },
  {
    names: ['client/**', '@cardwire/{client,server,react}{,/**}'],
    by: ['client/**', 'connector/{packages,test}/**'],
  },
  // Each command starts a process: it evaluates only those modules of the contract that it needs.
  {
    names: ['@cardwire/protocol'],
    by: ['{client,ds,test}/**', 'connector/{bench,build,packages,page,publish,test}/**'],
  },
  { names: ['test/**'], by: tests },
  {
    names: ['node:*{,/*}'],
    by: [
      ...tests,
      ...entries,
      '{*,*/*}.config.ts',
      '*/{build,publish}/**',
      'connector/src/**',
      'ds/src/db/read-thread.ts',
      databases,
      passwords,
      'pkcs12/**',
    ],
  },
  { names: ['pkcs12/**'], by: [...tests, 'pkcs12/**', 'connector/src/distribution/**', keystores] },
  { names: ['node-forge'], by: [...tests, 'pkcs12/**'] },
  {
    names: ['bun', 'bun:*'],
    by: ['connector/{bench,src,test}/**', 'test/{campaigns/hours,simulation}/**'],
  },
  { names: ['bun:ffi'], by: ['connector/**/native.ts'] },
  {
    names: ['@peculiar/x509'],
    by: [
      'client/{server,example,test}/**',
      'connector/src/pki/{x509,card-certificates}.ts',
      'connector/**/*.test.ts',
    ],
  },
  { names: ['pkijs', 'asn1js'], by: ['client/{server,test}/**'] },
  { names: ['@peculiar/webcrypto'], by: ['connector/**/*.test.ts'] },
  // Services are assembled from ports: what differs by runtime is handed in by the entries.
  { names: [databases, 'ds/src/packages/r2.ts'], by: [...tests, ...entries] },
  { names: ['ds/src/db/{file-driver,read-thread}.ts'], by: [...tests, ...entries, databases] },
  { names: [passwords, keystores], by: [...tests, ...entries, 'ds/src/assemble.ts'] },
  { names: ['ds/src/routes/**'], by: [...tests, 'ds/src/{routes/**,app.ts,admin/demo/demo.ts}'] },
]

/** Places with a list of everything that they import; the first that matches a file counts. Tests import more. */
export const importsOf: readonly ImportsRule[] = [
  {
    place: 'client/protocol/src/{hono,receive-body}.ts',
    imports: ['client/protocol/src/*', 'zod/mini', 'hono', 'hono/*'],
  },
  { place: 'client/protocol/src/**', imports: ['client/protocol/src/*', 'zod/mini'] },
  { place: 'client/src/**', imports: ['client/src/**', '@cardwire/protocol{,/*}'] },
  {
    place: 'client/react/src/**',
    imports: ['client/react/src/**', '@cardwire/client{,/*}', 'react{,/*}'],
  },
  {
    place: 'ds/src/rules/**',
    imports: ['ds/src/rules/*', '@cardwire/protocol', 'semver', 'bowser', 'ipaddr.js'],
  },
  { place: 'pkcs12/**', imports: ['pkcs12/*', 'node:{crypto,util}', 'node-forge'] },
  {
    place: 'test/bed/**',
    imports: ['test/bed/*', 'vitest', 'node:*{,/*}', '@cardwire/protocol{,/*}'],
  },
]

/** Globs of what is imported, and of the files that do. */
interface ImportersRule {
  readonly names: readonly string[]
  readonly by: readonly string[]
}

interface ImportsRule {
  readonly place: string
  readonly imports: readonly string[]
}

/** A workspace by the paths of its files and by its name. */
function workspace(name: string): readonly string[] {
  return [`${name}/**`, `@cardwire/${name}{,/**}`]
}

/** The folders whose files are read. */
const sourceFolders = ['connector', 'ds', 'client', 'pkcs12', 'test', '.ci']

/** Each file with what it imports: files by their paths from the root, with `/`, the rest by its name. */
export type Imports = ReadonlyMap<string, readonly string[]>

export interface LayerViolation {
  readonly from: string
  readonly to: string
  readonly reason: string
}

/** What breaks a table of layers, and every circle. */
export const checkLayers = (imports: Imports, table = layersOf): readonly LayerViolation[] => [
  ...Object.entries(table).flatMap(([base, layers]) => findUpwardImports(imports, base, layers)),
  ...findCircles(imports),
]

/** Imports that only other files may have. */
export const checkImports = (imports: Imports): readonly LayerViolation[] =>
  [...imports].flatMap(([from, names]) => names.flatMap((to) => checkImport(from, to) ?? []))

/** Reads the imports of every source file below `root`. */
export function readImports(root: string): Imports {
  const files = sourceFolders.flatMap((program) =>
    readdirSync(join(root, program), { recursive: true, encoding: 'utf8' })
      .map((file) => posix.join(program, file.replaceAll('\\', '/')))
      .filter((file) => /\.(tsx?|mjs)$/.test(file) && !/node_modules|\/dist\//.test(file)),
  )
  return new Map(
    files.map((file) => [
      file,
      findSpecifiers(readFileSync(join(root, file), 'utf8')).map((name) => resolve(file, name)),
    ]),
  )
}

/** A relative path as one from the root; the name of a package as it is. */
export const resolve = (file: string, specifier: string): string =>
  specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : specifier

/** What a source imports, its types included. */
export const findSpecifiers = (source: string): readonly string[] =>
  [
    ...source.matchAll(
      /(?:^(?:import|export)\b[^'\n]* from |^\} from |^import |\bimport\(\s*)'([^']+)'/gm,
    ),
  ].flatMap(([, name]) => name ?? [])

/** Whether a file may import a file, a package or a builtin module. */
function checkImport(from: string, to: string): LayerViolation | undefined {
  const matches = (name: string, globs: readonly string[]) =>
    globs.some((glob) => posix.matchesGlob(name, glob))
  const place = importsOf.find((rule) => matches(from, [rule.place]))
  if (place && !from.endsWith('.test.ts') && !matches(to, place.imports))
    return { from, to, reason: `is not in the list of ${place.place}` }
  const rule = importersOf.find(({ names, by }) => matches(to, names) && !matches(from, by))
  return rule && { from, to, reason: `is only for ${rule.by.join(' ')}` }
}

function findUpwardImports(
  imports: Imports,
  base: string,
  layers: Layers,
): readonly LayerViolation[] {
  return [...imports].flatMap(([from, targets]) => {
    if (!from.startsWith(`${base}/`) || from.endsWith('.test.ts')) return []
    const own = findPlace(from, base, layers)
    if (!own) return [{ from, to: base, reason: 'stands in no layer' }]
    return targets.flatMap((to) => {
      const other = to.startsWith(`${base}/`) ? findPlace(to, base, layers) : undefined
      if (!other || other.place === own.place || other.layer > own.layer) return []
      const reason = other.layer === own.layer ? 'stands in the same layer' : 'stands above'
      return [{ from, to, reason }]
    })
  })
}

function findPlace(file: string, base: string, layers: Layers) {
  const path = file.slice(base.length + 1)
  return layers
    .flatMap((places, layer) => places.map((place) => ({ place, layer })))
    .filter(({ place }) => path === place || path.startsWith(`${place}/`))
    .reduce<{ readonly place: string; readonly layer: number } | undefined>(
      (longest, fit) => (fit.place.length > (longest?.place.length ?? 0) ? fit : longest),
      undefined,
    )
}

function findCircles(imports: Imports): readonly LayerViolation[] {
  const found: LayerViolation[] = []
  const visited = new Set<string>()
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file)
    if (start >= 0) {
      const circle = [...trail.slice(start), file].join(' → ')
      found.push({ from: trail.at(-1) ?? file, to: file, reason: `closes the circle ${circle}` })
    }
    if (start >= 0 || visited.has(file)) return
    for (const target of imports.get(file) ?? []) visit(target, [...trail, file])
    visited.add(file)
  }
  for (const file of [...imports.keys()].sort()) visit(file, [])
  return found
}

if (import.meta.main) {
  const imports = readImports(fileURLToPath(new URL('..', import.meta.url)))
  const faults = [...checkLayers(imports), ...checkImports(imports)]
  for (const { from, to, reason } of faults) console.error(`${from} imports ${to}: it ${reason}`)
  console.log(`layers: ${imports.size} files, ${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
