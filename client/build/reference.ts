/** Writes the API reference from the types of the built package: `npm run reference -w @cardwire/client`, or into the given folder. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { API, type Checker, type Project, type Symbol as TsSymbol } from 'typescript/unstable/sync'
import { type Package, packages, specifierOf } from './packages.ts'

const client = fileURLToPath(new URL('..', import.meta.url))

// typescript, SymbolFlags and TypeFormatFlags: its enums are not exported as values.
const isInterface = 1 << 6
const isTypeAlias = 1 << 19
const isAlias = 1 << 21
const wholeType = 1 | (1 << 10) | (1 << 23)

interface Reference {
  readonly text: string
  /** What has no description. */
  readonly undocumented: readonly string[]
}

/** An entry of a package, with the page that describes it. */
interface Entry {
  readonly from: string
  readonly types: string
  readonly page: string
}

const target = process.argv[2]
// Below the client, so that the declarations find the dependencies they have.
const folder = mkdtempSync(join(client, 'dist-'))
const api = new API({ cwd: folder })
try {
  const built = spawnSync(process.execPath, [join(client, 'build/main.ts'), folder], {
    stdio: 'inherit',
  })
  if (built.status !== 0) throw new Error('Cannot write the reference: the build failed')
  const entries = packages.flatMap(listEntries)
  const project = openProject(entries)
  const references = entries.map((entry) => ({ entry, reference: describe(project, entry) }))
  for (const { entry, reference } of references) {
    mkdirSync(dirname(entry.page), { recursive: true })
    writeFileSync(entry.page, reference.text)
  }
  const undocumented = references.flatMap(({ reference }) => reference.undocumented)
  for (const name of undocumented) process.stderr.write(`${name} has no description\n`)
  process.exitCode = undocumented.length === 0 ? 0 : 1
} finally {
  api.close()
  rmSync(folder, { recursive: true })
}

function listEntries(one: Package): readonly Entry[] {
  const pages = target ? join(resolve(target), one.name) : join(client, one.folder, 'reference')
  return one.documented.map((entry) => ({
    from: specifierOf(one, entry),
    types: join(folder, one.name, `${entry}.d.ts`),
    page: join(pages, `${entry.replace(/\/index$/, '')}.md`),
  }))
}

function openProject(entries: readonly Entry[]): Project {
  const config = join(folder, 'tsconfig.json')
  const compilerOptions = {
    ...{ target: 'es2024', module: 'nodenext', strict: true, skipLibCheck: true, types: [] },
    lib: ['es2024', 'dom'],
  }
  const files = entries.map(({ types }) => types)
  writeFileSync(config, JSON.stringify({ compilerOptions, files }))
  const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
  if (!project) throw new Error(`Cannot read ${config}`)
  return project
}

function describe(project: Project, { from, types }: Entry): Reference {
  const { checker, program } = project
  const source = program.getSourceFile(types)
  const module = source && checker.getSymbolAtLocation(source)
  if (!module) throw new Error(`Cannot read ${types}`)
  const symbols = checker
    .getExportsOfModule(module)
    .map((symbol) => (symbol.flags & isAlias ? checker.getAliasedSymbol(symbol) : symbol))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
  const sections = symbols.map((symbol) => {
    const description = checker.getDocumentationCommentOfSymbol(symbol)
    const code = getDeclaration(project, symbol)
    return `## ${symbol.name}\n\n${description}\n\n\`\`\`ts\n${code}\n\`\`\`\n`
  })
  const title = `# ${from}\n\nGenerated from the types by \`npm run reference -w @cardwire/client\`. Edit the types, not this page.\n`
  return {
    text: [title, ...sections].join('\n'),
    undocumented: symbols.flatMap((symbol) => findUndocumented(checker, symbol, from)),
  }
}

function findUndocumented(checker: Checker, symbol: TsSymbol, from: string): readonly string[] {
  const hasNone = (one: TsSymbol): boolean => checker.getDocumentationCommentOfSymbol(one) === ''
  // What pages and tests see has a description of each member, too.
  const members =
    symbol.flags & isInterface && from.startsWith('@cardwire/client')
      ? checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol))
      : []
  return [
    ...(hasNone(symbol) ? [symbol.name] : []),
    ...members.filter(hasNone).map((member) => `${symbol.name}.${member.name}`),
  ]
}

/** As the declaration file has it; a type that follows from a schema, a table or other types is written out. */
function getDeclaration(project: Project, symbol: TsSymbol): string {
  const { checker } = project
  const texts = symbol.declarations.map((handle) => {
    const node = handle.resolve(project)
    if (!node) throw new Error(`Cannot read the declaration of ${symbol.name}`)
    return node.getText()
  })
  const text = texts.find((one) => /^(export )?(declare )?(type|interface|class)/.test(one))
  if (symbol.flags & isTypeAlias && /z\.output<|typeof |\bReason\b.*\|/.test(text ?? '')) {
    const type = checker.getDeclaredTypeOfSymbol(symbol)
    return `type ${symbol.name} = ${checker.typeToString(type, undefined, wholeType)}`
  }
  return (text ?? texts.join('\n')).replace(/^(export |declare )+/, '')
}
