/** The layers of the programs, as one table, and what in the tree breaks them: imports that run up, and circles of files. */
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
    ['settings.ts', 'version.ts', 'printable.ts', 'small-file.ts'],
    ['setting-values.ts'],
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
    ['pages'],
    ['routes'],
    ['http', 'sync'],
    ['services.ts'],
    ['auth'],
    ['gateway', 'packages'],
    ['db'],
    ['settings.ts', 'log.ts'],
    ['environment.ts'],
    ['rules', 'ports.ts', 'resources.ts', 'version.ts'],
  ],
  'ds/src/auth': [
    ['authorize.ts'],
    ['assertion.ts', 'identity'],
    ['keys', 'device-keys.ts', 'key-uses.ts', 'rate-limit.ts'],
  ],
}

/** The folders whose files are read. */
const sourceFolders = ['connector', 'ds', 'client', 'test', '.ci']

/** Each file with the files that it imports, by their paths from the root, with `/`. */
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

/** Reads the imports of every source file below `root`; those of packages are left out. */
export function readImports(root: string): Imports {
  const files = sourceFolders.flatMap((program) =>
    readdirSync(join(root, program), { recursive: true, encoding: 'utf8' })
      .map((file) => posix.join(program, file.replaceAll('\\', '/')))
      .filter((file) => /\.tsx?$/.test(file) && !/node_modules|\/dist\//.test(file)),
  )
  const known = new Set(files)
  return new Map(
    files.map((file) => {
      const specifiers = findSpecifiers(readFileSync(join(root, file), 'utf8'))
      const targets = specifiers.map((specifier) => posix.join(posix.dirname(file), specifier))
      return [file, targets.filter((target) => known.has(target))]
    }),
  )
}

/** The relative paths that a source imports, its types included. */
export const findSpecifiers = (source: string): readonly string[] =>
  [...source.matchAll(/\b(?:from|import)[\s(]*'(\.[^']+)'/g)].flatMap(([, path]) => path ?? [])

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
  const faults = checkLayers(imports)
  for (const { from, to, reason } of faults) console.error(`${from} imports ${to}: it ${reason}`)
  console.log(`layers: ${imports.size} files, ${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
