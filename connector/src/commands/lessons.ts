/** What the help of each command teaches beside its flags: examples, and what its exit status says. */
import type { Command, Option } from 'commander'

interface Lesson {
  /** Each a command line without the program's name, and what it is for. */
  readonly examples: readonly (readonly [line: string, use: string])[]
  /** Beside 0, done as asked, and 2, asked in a way that cannot be. */
  readonly statuses?: Readonly<Record<number, string>>
}

const serving = {
  1: 'nothing can be served; the log says why',
  3: 'a file of the installation is not what the distribution service says',
  78: 'the distribution service forbids this version',
}

const lessons: Readonly<Record<string, Lesson>> = {
  cardwire: {
    examples: [
      ['run', 'begin here: the connector of this user'],
      ['certs install', 'make the browsers of this user believe it'],
      ['doctor', 'see whether anything is wrong, and what to do'],
      ['help run', 'every setting, with what it means'],
    ],
  },
  run: {
    examples: [
      ['run', 'with the settings of the file and the environment'],
      ['run --cors https://shop.example', 'let the pages of one origin ask for consent'],
      ['run --virtual-reader /tmp/card', 'without hardware: a reader whose card is a file'],
    ],
    statuses: serving,
  },
  api: {
    examples: [['api', 'where the registry is a service, or started by somebody else']],
    statuses: serving,
  },
  registry: {
    examples: [
      ['registry', 'for the API of this user alone, until Ctrl-C'],
      ['registry install', 'for every user of the machine, from now on'],
    ],
    statuses: { 1: 'it cannot begin; the log says why' },
  },
  'registry install': {
    examples: [
      ['registry install', 'as an administrator, on Linux with systemd'],
      ['registry install --print', 'see what would be installed; on macOS and Windows, save it'],
    ],
    statuses: { 1: 'it was not installed' },
  },
  'registry uninstall': {
    examples: [['registry uninstall', 'as an administrator']],
    statuses: { 1: 'something of it is left' },
  },
  sandbox: {
    examples: [['doctor', 'what the sandbox sees of the card service']],
  },
  readers: {
    examples: [
      ['readers', 'what is there now'],
      ['readers --watch', 'and a line for every change, until Ctrl-C'],
    ],
    statuses: { 1: 'the card service cannot be reached' },
  },
  consents: {
    examples: [
      ['consents', 'who has been let in, since when, until when'],
      ['consents revoke https://shop.example', 'let one origin in no more'],
    ],
  },
  'consents revoke': {
    examples: [
      ['consents revoke https://shop.example', 'one origin'],
      ['consents revoke --all', 'every origin'],
    ],
    statuses: { 1: 'there was nothing to take back' },
  },
  certs: {
    examples: [
      ['certs status', 'what there is, and which programs of this user believe it'],
      ['certs install', 'make them believe it'],
      ['help certs renew', 'what one of them does'],
    ],
  },
  'certs status': {
    examples: [
      ['certs status', 'the files, and every store'],
      ['certs status localhost', 'whether a browser opens this name without a warning'],
    ],
    statuses: { 1: 'the files are not in order, or the name gives a warning' },
  },
  'certs install': {
    examples: [['certs install', 'again after a browser was installed or got a new profile']],
    statuses: { 1: 'a store does not believe the root' },
  },
  'certs renew': {
    examples: [
      ['certs renew', 'a new leaf below the same root'],
      ['certs renew --root', 'both, where the root is lost or may not sign for a name'],
    ],
    statuses: { 1: 'nothing was renewed, and the old files are in force' },
  },
  'certs hosts': {
    examples: [
      ['certs hosts reader.localhost', 'one more name'],
      ['certs hosts', 'none beside the local ones'],
    ],
    statuses: { 1: 'the leaf is the old one' },
  },
  'certs uninstall': {
    examples: [['certs uninstall', 'before the program is removed for good']],
    statuses: { 1: 'the files are still there' },
  },
  sync: {
    examples: [['sync', 'after the administrator of the service changed something']],
    statuses: { 1: 'not in step with the service' },
  },
  update: {
    examples: [
      ['update --check', 'only tell whether there is another version'],
      ['update', 'download and check it, ask, and install it'],
      ['update --yes', 'where nobody can be asked'],
    ],
    statuses: {
      1: 'nothing was installed; what is shown says why',
      100: 'with --check: there is an update',
    },
  },
  doctor: {
    examples: [['doctor', 'as the user whose browser asks']],
    statuses: { 1: 'something is wrong; what is merely missing does not count' },
  },
}

/** Teaches a command and all below it; whoever asks in a way that cannot be hears where the help is, with exit status 2. */
export function teach(command: Command, settingsFile: string): void {
  const path = pathOf(command)
  command.showHelpAfterError(`see: ${command.parent === null ? '' : 'cardwire '}${path} --help`)
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  const takesSettings = command.parent === null || command.options.some(isSetting)
  const file = takesSettings ? settingsFile : undefined
  command.addHelpText('after', () => textOf(lessons[path], file))
  for (const below of command.commands) teach(below, settingsFile)
}

/** The heading under which the help of a command has its settings. */
export const settingsHeading = 'Settings:'

const isSetting = ({ helpGroupHeading }: Option) => helpGroupHeading === settingsHeading

/** `certs install`; the program itself by its own name. */
function pathOf(command: Command): string {
  const parent = command.parent
  if (parent === null) return command.name()
  return parent.parent === null ? command.name() : `${pathOf(parent)} ${command.name()}`
}

function textOf(
  { examples, statuses = {} }: Lesson = { examples: [] },
  settingsFile: string | undefined,
): string {
  const lines = examples.map(([line, use]) => [`cardwire ${line}`, use] as const)
  const width = Math.max(0, ...lines.map(([line]) => line.length))
  const codes = { 0: 'done', ...statuses, 2: 'asked in a way that cannot be, or wrong settings' }
  return [
    ...(lines.length > 0 ? ['', 'Examples:'] : []),
    ...lines.map(([line, use]) => `  ${line.padEnd(width)}  ${use}`),
    '',
    'Exit status:',
    ...Object.entries(codes).map(([code, meaning]) => `  ${code.padStart(2)}  ${meaning}`),
    ...(settingsFile === undefined
      ? []
      : ['', `Settings may also stand in "${settingsFile}" or in the environment; a flag wins.`]),
  ].join('\n')
}
