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
  1: 'it cannot start; the log says why',
  3: 'an installed file was altered; its hash differs from the one on the distribution service',
  78: 'the distribution service has blocked this version',
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
      ['run', 'start your connector'],
      ['certs install', 'make your browsers trust it'],
      ['doctor', 'find problems, and say how to fix them'],
      ['help run', 'list and explain every setting'],
    ],
  },
  run: {
    examples: [
      ['run', 'use the settings from the settings file and the environment'],
      ['run --cors https://shop.example', 'allow the pages of one origin to ask for consent'],
      ['run --virtual-reader /tmp/card', 'without hardware: use a reader whose card is a file'],
    ],
    statuses: servingStatuses,
    settings: 'all',
  },
  api: {
    examples: [
      ['api', 'run the connector only; the registry runs as a service, or you start it separately'],
    ],
    statuses: servingStatuses,
    settings: 'all',
  },
  open: {
    examples: [
      ['open', 'show card readers, allowed sites and problems in the browser'],
      ['open --no-browser', 'print the URL, which works once, within 30 seconds'],
    ],
    statuses: { 1: 'no one opened the page' },
    settings: 'all',
  },
  registry: {
    examples: [
      ['registry', 'for this user only, until Ctrl-C'],
      ['registry install', 'as a service, for every user of this computer'],
    ],
    statuses: {
      ...servingStatuses,
      1: 'it cannot start, or another program uses its port; the log says which',
    },
    settings: [
      ...registrySettings,
      'CARDWIRE_DS_URL',
      'CARDWIRE_DS_FINGERPRINTS',
      'CARDWIRE_CA_FILE',
      'CARDWIRE_TAGS',
    ],
  },
  'registry status': {
    examples: [['registry status', 'service, device, last sync, keystore and errors']],
    statuses: { 1: 'it has not synced with its distribution service' },
    settings: ['CARDWIRE_MACHINE_DIR'],
  },
  'registry install': {
    examples: [
      ['registry install', 'as an administrator, on Linux with systemd'],
      ['registry install --print', 'print what would be installed; on macOS and Windows, save it'],
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
      ['registry trust', 'as an administrator, after you start the service'],
      [
        'registry trust --people',
        'as an administrator on Windows, after a user signs in for the first time',
      ],
    ],
    statuses: {
      1: 'a trust store of this computer does not trust the root certificate; the output says why',
    },
    settings: registrySettings,
  },
  'registry untrust': {
    examples: [['registry untrust', 'as an administrator; keeps the certificates of the service']],
    statuses: {
      1: 'a trust store of this computer still trusts the root certificate, or cannot be read',
    },
    settings: ['CARDWIRE_MACHINE_DIR'],
  },
  sandbox: {
    examples: [['doctor', 'show what the sandbox sees of the smart card service']],
  },
  status: {
    examples: [
      ['status', 'show everything at a glance'],
      ['status > /dev/null || cardwire run', 'start the connector if it is not running'],
    ],
    statuses: { 3: 'the connector is not running', 4: 'it is running but does not respond' },
    settings: ['CARDWIRE_DS_URL'],
  },
  settings: {
    examples: [
      ['settings', 'each value, and the file, variable or flag that sets it'],
      ['settings --log-level debug', 'the settings of a command with this flag'],
    ],
  },
  stop: {
    examples: [
      ['stop', 'stop your connector; other users are not affected'],
      ['stop && cardwire run', 'restart it, to apply changed settings'],
    ],
    statuses: { 1: 'it is still running; the output says why' },
  },
  uninstall: {
    examples: [
      ['uninstall --dry-run', 'show what would be removed, and what would be kept'],
      ['uninstall', 'this user only; removes keys and registration, keeps certificates'],
    ],
    statuses: { 1: 'something was not removed; the output says why' },
  },
  readers: {
    examples: [
      ['readers', 'list readers and cards'],
      ['readers --watch', 'also print a line for every change, until Ctrl-C'],
    ],
    statuses: { 1: 'the smart card service cannot be reached' },
  },
  consents: {
    examples: [
      ['consents', 'list the allowed sites, with dates'],
      ['consents revoke https://shop.example', 'revoke access for one site'],
    ],
  },
  'consents revoke': {
    examples: [
      ['consents revoke https://shop.example', 'one site'],
      ['consents revoke --all', 'every site'],
      ['consents revoke --folders https://shop.example', 'only its folders'],
    ],
    statuses: { 1: 'there was nothing to revoke' },
  },
  certs: {
    examples: [
      ['certs status', 'show the certificates, and which programs of this user trust them'],
      ['certs install', 'make these programs trust Cardwire’s root certificate'],
      ['help certs renew', 'show the help of one subcommand'],
    ],
  },
  'certs status': {
    examples: [
      ['certs status', 'the files and every trust store'],
      ['certs status localhost', 'whether a browser opens this host name without a warning'],
    ],
    statuses: { 1: 'a file has a problem, or the host name causes a warning' },
  },
  'certs install': {
    examples: [['certs install', 'run it again after you install a browser or add a profile']],
    statuses: { 1: 'a store does not trust the root certificate' },
    settings: ['CARDWIRE_HOSTS'],
  },
  'certs untrust': {
    examples: [['certs untrust', 'before you remove the program but keep its certificates']],
    statuses: { 1: 'a store still trusts the root certificate, or cannot be read' },
  },
  'certs renew': {
    examples: [
      ['certs renew', 'renew the localhost certificate'],
      [
        'certs renew --root',
        'also renew the root certificate, if it is lost or isn’t allowed to sign for a host name',
      ],
    ],
    statuses: { 1: 'nothing was renewed; the old files are kept' },
    settings: ['CARDWIRE_HOSTS'],
  },
  'certs hosts': {
    examples: [
      ['certs hosts reader.localhost', 'add one host name'],
      ['certs hosts', 'remove all added host names, keep only localhost'],
    ],
    statuses: { 1: 'the certificate was not renewed' },
  },
  'certs uninstall': {
    examples: [['certs uninstall', 'before you remove the program for good']],
    statuses: { 1: 'the files are still there' },
  },
  sync: {
    examples: [['sync', 'get changes that an administrator just made']],
    statuses: { 1: 'the connector did not sync' },
    settings: serviceSettings,
  },
  update: {
    examples: [
      ['update --check', 'check for an update'],
      ['update', 'download and check the update, then ask before installing it'],
      ['update --yes', 'install without asking, such as from a script'],
      ['update --dry-run', 'download and check the update, and show how it would be installed'],
    ],
    statuses: {
      1: 'nothing was installed; the output says why',
      100: 'with --check: an update is available',
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
      ['version --json', 'the same, as JSON'],
    ],
  },
  doctor: {
    examples: [['doctor', 'as the user who uses the browser']],
    statuses: { 1: 'it found a problem; notes do not change the status' },
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
          `You can also set these in "${settingsFile}" or in the environment; a flag takes precedence.`,
          `${secrets} can only be set there, because other users of the computer can see command-line arguments.`,
        ]),
  ].join('\n')
}
