/** Checks the documents: every link, every file that they name, and every command leads to something that is there. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { root, toolPath } from '../test/bed/repository.ts'
import { checkCommands, type Programs } from './document-commands.ts'
import { checkDrawing, checkLayerTable } from './document-layers.ts'
import { checkLinks, checkPaths } from './document-links.ts'

const exists = (path: string) => existsSync(join(root, path))
const read = (path: string) => readFileSync(join(root, path), 'utf8')

const find = (pattern: string) =>
  globSync(pattern, { cwd: root, exclude: (path) => /(?:^|\/)(?:node_modules|dist)$/.test(path) })

const hiddenCommand = /command\('([\w-]+)[^']*', \{ hidden: true \}/g

const programs: Programs = {
  exists,
  scripts(workspace) {
    const folder = findWorkspace(workspace)
    return folder === undefined ? undefined : JSON.parse(read(join(folder, 'package.json'))).scripts
  },
  knows,
  cardwire: readCompletion(),
  admin: readAdminWords(),
}

/** The folder of what follows `-w`: a name, or a folder that is one workspace. npm takes all that are in a folder. */
function findWorkspace(given: string): string | undefined {
  const folders: readonly string[] = JSON.parse(read('package.json')).workspaces
  if (given === '') return '.'
  const matching = given.startsWith('@')
    ? folders.filter((folder) => JSON.parse(read(join(folder, 'package.json'))).name === given)
    : folders.filter((folder) => folder === given || folder.startsWith(`${given}/`))
  return matching.length === 1 ? matching[0] : undefined
}

/** Whether the sources of a script's program have a word, also those that it names by their path. */
function knows(workspace: string, script: string, word: string): boolean {
  const [, main] = /(?:node|bun) (\S+\.ts)/.exec(script) ?? []
  if (main === undefined) return false
  const file = join(findWorkspace(workspace) ?? '.', main)
  const named = [...read(file).matchAll(/'([\w/-]+\/[\w-]+\.ts)'/g)].flatMap(
    ([, path]) => path ?? [],
  )
  const folders = [file, ...named.filter(exists)].map(dirname)
  const name = word.replace(/^--/, '')
  const declared = new RegExp(`(?:^|[\\s{'"-])${name}['"]?(?::|['",\\s])`, 'm')
  return [...new Set(folders)].some((folder) =>
    find(`${folder}/*.ts`).some((each) => declared.test(read(each))),
  )
}

/** The commands of the connector with their options, from the completion that it makes for bash. */
function readCompletion(): Programs['cardwire'] {
  const script = execFileSync(toolPath('bun'), ['connector/src/main.ts', 'completion', 'bash'], {
    cwd: root,
    encoding: 'utf8',
  })
  const rows = [...script.matchAll(/'cardwire ?([^']*)'\) offered='([^']+)'/g)]
  const hidden = [...read('connector/src/commands/program.ts').matchAll(hiddenCommand)]
  return new Map([
    ...rows.map(([, place = '', offered = '']): [string, string[]] => [place, offered.split(' ')]),
    ...hidden.map(([, name = '']): [string, string[]] => [name, []]),
  ])
}

function readAdminWords(): ReadonlySet<string> {
  const source = find('ds/src/admin/**/*.ts').map(read).join('\n')
  const words = source.matchAll(/(?:command\(|[Oo]ption\(\s*)'(-{0,2}[\w-]+)/g)
  return new Set(['--help', ...[...words].flatMap(([, word]) => word ?? [])])
}

const documents = ['README.md', 'docs/**/*.md', 'client/**/*.md'].flatMap(find).map((path) => ({
  path,
  text: read(path),
}))
// A decision tells what was so on its day.
const current = documents.filter(({ path }) => !path.startsWith('docs/decisions/'))
/** Longer, and newcomers do not read it. */
const maxReadmeLines = 250
const readmeLines = read('README.md').split('\n').length - 1

const faults = [
  ...(readmeLines > maxReadmeLines
    ? [`README.md has ${readmeLines} lines, expected at most ${maxReadmeLines}`]
    : []),
  ...checkLinks(documents, exists),
  ...checkPaths(current, exists),
  ...checkCommands(current, programs),
  ...checkLayerTable(read('README.md'), 'connector/src'),
  ...checkLayerTable(read('README.md'), 'ds/src'),
  ...checkDrawing(read('docs/architecture.md')),
]
for (const fault of faults) console.error(fault)
console.log(`documents: ${documents.length}, ${faults.length} faults`)
process.exitCode = faults.length === 0 ? 0 : 1
