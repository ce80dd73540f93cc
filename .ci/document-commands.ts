/** The commands of the documents: scripts, programs, subcommands, options and files that they name are there. */
import { type Document, isRepositoryPath } from './document-links.ts'

/** What can be run. */
export interface Programs {
  readonly exists: (path: string) => boolean
  /** Of a workspace, or of the root for `''`, the scripts by their names. */
  readonly scripts: (workspace: string) => Readonly<Record<string, string>> | undefined
  /** Whether the program that a script starts has a word: an option, or the name of what to run. */
  readonly knows: (workspace: string, script: string, word: string) => boolean
  /** What may follow a command, by the whole command: `certs` → `install`, `--help`. */
  readonly cardwire: ReadonlyMap<string, readonly string[]>
  /** Subcommands and options of the administrators' command. */
  readonly admin: ReadonlySet<string>
}

interface FoundCommand {
  readonly line: number
  readonly words: readonly string[]
}

/** What is wrong with the commands of these documents. */
export function checkCommands(
  documents: readonly Document[],
  programs: Programs,
): readonly string[] {
  return documents.flatMap(({ path, text }) =>
    findCommands(text).flatMap(({ line, words }) => {
      const fault = checkCommand(words, programs)
      return fault === undefined ? [] : `${path}:${line}: ${fault}: "${words.join(' ')}"`
    }),
  )
}

const names = 'npm|npx|node|bun|deno|vitest|wrangler|cardwire|cardwire-ds-admin|cardwire-ds'
const program = `(?:[\\w./~-]*/)?(?:${names})(?=[ \`\\n]|$)`

/** The commands of blocks of shells and of pipelines in YAML, and those in code within sentences. */
export function findCommands(text: string): readonly FoundCommand[] {
  const found = new RegExp(
    `(?:^|[|&;(]\\s*|\\bexec )(?:sudo(?: -u \\S+| -\\S+)* )?(${program}[^|&;)]*)`,
    'g',
  )
  let block: string | undefined
  let continued = ''
  return text.split('\n').flatMap((content, index) => {
    const line = index + 1
    const [, fence] = /^ *```(\w*)/.exec(content) ?? []
    if (fence !== undefined) {
      block = block === undefined ? fence : undefined
      return []
    }
    const parts = block === undefined ? findInlineCode(content) : []
    if (/^(?:sh|console)$/.test(block ?? '')) {
      // Of a console the lines with a prompt are typed, and what continues them.
      const typed =
        continued === '' && block === 'console' ? content.match(/^ *\$ (.*)$/)?.[1] : content
      const whole = continued + (typed ?? '').trim()
      continued = whole.endsWith('\\') ? whole.slice(0, -1) : ''
      if (continued === '') parts.push(whole.replace(/(^|\s)#.*$/, ''))
    }
    if (block === 'yaml') parts.push(content.replace(/^ *(?:- )?(?:run: )?/, ''))
    return parts.flatMap((part) =>
      [...part.matchAll(found)].map(([, command = '']) => ({
        line,
        words: command.trim().split(/\s+/),
      })),
    )
  })
}

const findInlineCode = (line: string): string[] =>
  [...line.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)

function checkCommand(words: readonly string[], programs: Programs): string | undefined {
  const missing = words.slice(1).find((word) => isRepositoryPath(word) && !programs.exists(word))
  if (missing !== undefined) return `there is no "${missing}"`
  const [name = '', ...rest] = words
  switch (name.split('/').at(-1)) {
    case 'npm':
      return checkNpm(rest, programs)
    case 'npx':
      return checkTool(rest[0] ?? '', programs)
    case 'cardwire':
      return checkCardwire(rest, programs)
    case 'cardwire-ds':
      return rest[0] === 'admin' ? checkAdmin(rest.slice(1), programs) : undefined
    case 'cardwire-ds-admin':
      return checkAdmin(rest, programs)
    case 'node':
      return undefined
    default:
      return checkTool(name, programs)
  }
}

const checkTool = (name: string, { exists }: Programs) =>
  exists(`node_modules/.bin/${name}`) ? undefined : `no package brings "${name}"`

/** Commands of npm itself that documents name. */
const npmCommands = new Set(['init', 'install', 'pack', 'pkg'])

function checkNpm(words: readonly string[], programs: Programs): string | undefined {
  const end = words.indexOf('--')
  const own = end < 0 ? words : words.slice(0, end)
  const at = own.findIndex((word) => word === '-w' || word === '--workspace')
  const workspace = at < 0 ? '' : (own[at + 1] ?? '')
  const [first = '', second = ''] = own.filter(
    (word, index) => !word.startsWith('-') && (at < 0 || index !== at + 1),
  )
  if (npmCommands.has(first)) return undefined
  const script = first === 'run' ? second : first
  const scripts = programs.scripts(workspace)
  if (scripts === undefined) return `there is not one workspace "${workspace}"`
  const command = scripts[script]
  if (command === undefined) return `there is no script "${script}"`
  const given = (end < 0 ? [] : words.slice(end + 1)).map(unquote)
  if (command.includes('admin/main.ts')) return checkAdmin(given, programs)
  const unknown = given.find(
    (word, index) =>
      (isOption(word) || (index === 0 && isName(word))) &&
      !programs.knows(workspace, command, word),
  )
  return unknown === undefined ? undefined : `"${script}" does not know "${unknown}"`
}

/** In a document a word in capitals stands for any. */
const isName = (word: string) => /^[a-z][a-z-]*$/.test(word)
const isOption = (word: string) => /^--[a-z][a-z-]*/.test(word)
const unquote = (word: string) => word.replace(/=.*$/, '')

function checkCardwire(words: readonly string[], { cardwire }: Programs): string | undefined {
  let place = ''
  for (const word of words[0] === 'help' ? words.slice(1) : words) {
    const name = unquote(word)
    const below = `${place} ${name}`.trim()
    const offered = cardwire.get(place) ?? []
    if (isOption(name) && !offered.includes(name)) return `there is no option "cardwire ${below}"`
    if (cardwire.has(below)) place = below
    else if (!isOption(name)) {
      const isCommand = isName(name) && offered.some((each) => !each.startsWith('-'))
      return isCommand && !offered.includes(name)
        ? `there is no command "cardwire ${below}"`
        : undefined
    }
  }
  return undefined
}

function checkAdmin(words: readonly string[], { admin }: Programs): string | undefined {
  const unknown = words.find(
    (word, index) =>
      (index === 0 ? isName(word) || isOption(word) : isOption(word)) && !admin.has(unquote(word)),
  )
  return unknown === undefined
    ? undefined
    : `the administrators' command does not know "${unknown}"`
}
