/** The help of each command beside its flags: examples, and the meaning of its exit statuses. */
import type { Command, Option } from 'commander'
import { describeSettings, type SettingName, toFlag } from '../settings.ts'
import { getCommandPath } from './command-path.ts'
import { printFailure, wantsJson } from './json-output.ts'

interface CommandHelp {
  /** Each a command line without the program's name, and what it is for. */
  readonly examples: readonly (readonly [line: string, use: string])[]
  /** Beside 0, done, and 2, invalid arguments or settings. */
  readonly statuses?: Readonly<Record<number, string>>
  /** The settings that it reads, as far as a user sets them for it; none without this. It accepts every one. */
  readonly settings?: 'all' | readonly SettingName[]
}

const servingStatuses = {
  1: 'nothing can be served; the log says why',
  3: 'a file of the installation has been altered: the distribution service names another digest',
  78: 'the distribution service forbids this version',
}

const registrySettings: readonly SettingName[] = [
  'CARDWIRE_REGISTRY_PORT',
  'CARDWIRE_MACHINE_DIR',
  'CARDWIRE_HOSTS',
  'CARDWIRE_LOG_LEVEL',
]
const serviceSettings: readonly SettingName[] = [
  'CARDWIRE_DS_URL',
  'CARDWIRE_DS_FINGERPRINTS',
  'CARDWIRE_CA_FILE',
  'CARDWIRE_LOG_LEVEL',
]

const commandHelp: Readonly<Record<string, CommandHelp>> = {
  cardwire: {
    examples: [
      ['run', 'start here: the connector of this user'],
      ['certs install', 'make the browsers of this user trust it'],
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
    statuses: servingStatuses,
    settings: 'all',
  },
  api: {
    examples: [
      [
        'api',
        'the connector without a registry of its own: that one is a service, or is started separately',
      ],
    ],
    statuses: servingStatuses,
    settings: 'all',
  },
  open: {
    examples: [
      ['open', 'readers, cards, who has been let in, and what is wrong, with what to do'],
      ['open --no-browser', 'print the address, which works once, within 30 seconds'],
    ],
    statuses: { 1: 'nobody opened the page' },
    settings: 'all',
  },
  registry: {
    examples: [
      ['registry', 'for the API of this user alone, until Ctrl-C'],
      ['registry install', 'for every user of the machine, from now on'],
    ],
    statuses: {
      ...servingStatuses,
      1: 'it cannot start, or another program has its port; the log says which',
    },
    settings: [
      ...registrySettings,
      'CARDWIRE_DS_URL',
      'CARDWIRE_DS_FINGERPRINTS',
      'CARDWIRE_CA_FILE',
    ],
  },
  'registry status': {
    examples: [['registry status', 'service, device, last synchronization, keystore and faults']],
    statuses: { 1: 'it has not synchronized with the service that manages it' },
    settings: ['CARDWIRE_MACHINE_DIR'],
  },
  'registry install': {
    examples: [
      ['registry install', 'as an administrator, on Linux with systemd'],
      ['registry install --print', 'see what would be installed; on macOS and Windows, save it'],
    ],
    statuses: { 1: 'it was not installed' },
    settings: registrySettings,
  },
  'registry uninstall': {
    examples: [['registry uninstall', 'as an administrator']],
    statuses: { 1: 'it was not removed completely' },
    settings: ['CARDWIRE_MACHINE_DIR'],
  },
  'registry trust': {
    examples: [
      ['registry trust', 'as an administrator, once the service runs'],
      ['registry trust --people', 'as an administrator on Windows, after a first log-in'],
    ],
    statuses: { 1: 'not every store of the machine trusts the root; what is shown says why' },
    settings: registrySettings,
  },
  'registry untrust': {
    examples: [['registry untrust', 'as an administrator; the certificates of the service stay']],
    statuses: { 1: 'a store of the machine still trusts the root, or cannot be read' },
    settings: ['CARDWIRE_MACHINE_DIR'],
  },
  sandbox: {
    examples: [['doctor', 'what the sandbox sees of the card service']],
  },
  status: {
    examples: [
      ['status', 'one look at everything'],
      ['status > /dev/null || cardwire run', 'start it where it does not run'],
    ],
    statuses: { 3: 'the connector is not running', 4: 'it runs, and does not answer' },
    settings: ['CARDWIRE_DS_URL'],
  },
  settings: {
    examples: [
      ['settings', 'each value, and the file, variable or flag that it comes from'],
      ['settings --log-level debug', 'what a command with this flag would have'],
    ],
  },
  stop: {
    examples: [
      ['stop', 'the connector of this user; no other account has to do with it'],
      ['stop && cardwire run', 'start it again, with settings that were changed'],
    ],
    statuses: { 1: 'it runs still; what is shown says why' },
  },
  uninstall: {
    examples: [
      ['uninstall --dry-run', 'what would go, and what would stay'],
      ['uninstall', 'this user only; keys and registration are lost, certificates stay'],
    ],
    statuses: { 1: 'something was not removed; what is shown says why' },
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
      ['consents', 'which origins have a consent, since when, until when'],
      ['consents revoke https://shop.example', 'revoke the consent of one origin'],
    ],
  },
  'consents revoke': {
    examples: [
      ['consents revoke https://shop.example', 'one origin'],
      ['consents revoke --all', 'every origin'],
      ['consents revoke --folders https://shop.example', 'the folders that you have chosen for it'],
    ],
    statuses: { 1: 'there was nothing to revoke' },
  },
  certs: {
    examples: [
      ['certs status', 'the certificates, and which programs of this user trust them'],
      ['certs install', 'make them trust the root'],
      ['help certs renew', 'the help of one of them'],
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
    statuses: { 1: 'a store does not trust the root' },
    settings: ['CARDWIRE_HOSTS'],
  },
  'certs untrust': {
    examples: [['certs untrust', 'when the program goes and its certificates stay']],
    statuses: { 1: 'a store still trusts the root, or cannot be read' },
  },
  'certs renew': {
    examples: [
      ['certs renew', 'a new leaf below the same root'],
      ['certs renew --root', 'both, where the root is lost or may not sign for a name'],
    ],
    statuses: { 1: 'nothing was renewed, and the old files are kept' },
    settings: ['CARDWIRE_HOSTS'],
  },
  'certs hosts': {
    examples: [
      ['certs hosts reader.localhost', 'one more name'],
      ['certs hosts', 'remove all of them: localhost alone'],
    ],
    statuses: { 1: 'the leaf was not renewed' },
  },
  'certs uninstall': {
    examples: [['certs uninstall', 'before the program is removed for good']],
    statuses: { 1: 'the files are still there' },
  },
  sync: {
    examples: [['sync', 'after the administrator of the service changed something']],
    statuses: { 1: 'the connector did not synchronize' },
    settings: serviceSettings,
  },
  update: {
    examples: [
      ['update --check', 'only report whether there is another version'],
      ['update', 'download and check it, ask, and install it'],
      ['update --yes', 'without a terminal'],
      ['update --dry-run', 'download and check it, and say how it would be installed'],
    ],
    statuses: {
      1: 'nothing was installed; what is shown says why',
      100: 'with --check: there is an update',
    },
    settings: serviceSettings,
  },
  completion: {
    examples: [
      ['completion bash > ~/.local/share/bash-completion/completions/cardwire', 'for bash'],
      ['completion zsh > ~/.zfunc/_cardwire', 'for zsh, with that folder in fpath before compinit'],
      ['completion fish > ~/.config/fish/completions/cardwire.fish', 'for fish'],
    ],
  },
  man: {
    examples: [
      ['man | man -l -', 'read it'],
      ['man | sudo tee /usr/local/share/man/man1/cardwire.1 > /dev/null', 'for every user'],
    ],
  },
  version: {
    examples: [
      ['version', 'the version of this program'],
      ['version --json', 'the same, for a program'],
    ],
  },
  doctor: {
    examples: [['doctor', 'as the user who uses the browser']],
    statuses: { 1: 'something is wrong; notes do not change the status' },
    settings: 'all',
  },
}

/** Adds the help to a command and its subcommands. Invalid arguments end with status 2 and the way to the help. */
export function addHelp(command: Command, settingsFile: string): void {
  const path = getCommandPath(command)
  command.showHelpAfterError(`see: ${command.parent === null ? '' : 'cardwire '}${path} --help`)
  if (wantsJson()) command.configureOutput({ writeErr: () => undefined })
  command.exitOverride(({ exitCode, code, message }) => {
    if (exitCode === 0) process.exit(0)
    const what = code === 'commander.help' ? 'a command is missing' : message
    if (wantsJson()) printFailure(what.replace(/^error: /, ''), 2)
    process.exit(2)
  })
  const { settings = [] } = commandHelp[path] ?? {}
  const shown = settings === 'all' ? undefined : settings.map(toFlag)
  for (const option of command.options.filter(isSetting))
    option.hideHelp(shown !== undefined && !shown.includes(option.long ?? ''))
  const takesSettings = command.parent === null || settings.length > 0
  const file = takesSettings ? settingsFile : undefined
  command.addHelpText('after', () => formatHelp(commandHelp[path], file))
  for (const below of command.commands) addHelp(below, settingsFile)
}

/** The heading under which the help of a command has its settings. */
export const settingsHeading = 'Settings:'

const isSetting = ({ helpGroupHeading }: Option) => helpGroupHeading === settingsHeading

const secrets = describeSettings()
  .filter(({ isSecret }) => isSecret)
  .map(({ name }) => name)
  .join(', ')

const allStatuses = (own: CommandHelp['statuses'] = {}) => ({
  0: 'done',
  ...own,
  2: 'invalid arguments or settings',
})

/** The exit statuses of a command with their meaning. */
export const describeStatuses = (path: string): Readonly<Record<number, string>> =>
  allStatuses(commandHelp[path]?.statuses)

export const listExamples = (path: string): CommandHelp['examples'] =>
  commandHelp[path]?.examples ?? []

function formatHelp(
  { examples, statuses = {} }: CommandHelp = { examples: [] },
  settingsFile: string | undefined,
): string {
  const lines = examples.map(([line, use]) => [`cardwire ${line}`, use] as const)
  const width = Math.max(0, ...lines.map(([line]) => line.length))
  const codes = allStatuses(statuses)
  return [
    ...(lines.length > 0 ? ['', 'Examples:'] : []),
    ...lines.map(([line, use]) => `  ${line.padEnd(width)}  ${use}`),
    '',
    'Exit status:',
    ...Object.entries(codes).map(([code, meaning]) => `  ${code.padStart(2)}  ${meaning}`),
    ...(settingsFile === undefined
      ? []
      : [
          '',
          `Settings may also stand in "${settingsFile}" or in the environment; a flag wins.`,
          `Only there: ${secrets}, because every account reads the arguments of programs.`,
        ]),
  ].join('\n')
}
