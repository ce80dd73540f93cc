/** `cardwire man`: the manual page, made from the table of commands and their help (man(7)). */
import { describeSettings } from '../settings.ts'
import type { CommandEntry } from './command-table.ts'
import { describeStatuses, listExamples } from './help-text.ts'

/** `date`: as ISO 8601 writes a day. */
export function createManualPage(
  commands: readonly CommandEntry[],
  { version, date }: { readonly version: string; readonly date: string },
): string {
  const [program, ...others] = commands
  return [
    `.TH CARDWIRE 1 ${date} ${quote(`Cardwire ${version}`)}`,
    '.SH NAME',
    'cardwire \\- smart\\-card readers for web pages',
    '.SH SYNOPSIS',
    '.B cardwire',
    '.I command',
    '[options]',
    '.SH DESCRIPTION',
    wrap(program?.description ?? ''),
    '.SH COMMANDS',
    ...others.flatMap(formatCommand),
    '.SH SETTINGS',
    wrap(
      'Each is a line NAME=value of the settings file, or an environment variable; most are also a flag. A flag takes precedence over the environment, which takes precedence over the file.',
    ),
    ...describeSettings().flatMap(({ name, meaning, fallback }) => [
      '.TP',
      `.B ${escapeRoff(name)}`,
      wrap(fallback === '' ? meaning : `${meaning} (${fallback})`),
    ]),
    '.SH FILES',
    '.TP',
    '.I \\(ti/.config/cardwire/cardwire.conf',
    'The settings, on Linux without XDG_CONFIG_HOME.',
    '.SH EXIT STATUS',
    wrap(
      'All commands: 0 for success, 2 for invalid arguments or settings. Other statuses are listed with each command.',
    ),
    '',
  ].join('\n')
}

function formatCommand({ path, description, usage, options }: CommandEntry): readonly string[] {
  const statuses = Object.entries(describeStatuses(path)).filter(
    ([status]) => status !== '0' && status !== '2',
  )
  return [
    `.SS ${quote(usage)}`,
    wrap(`${description}.`),
    ...options
      .filter(({ long }) => long !== '--help')
      .flatMap((option) => ['.TP', `.B ${escapeRoff(option.flags)}`, wrap(option.description)]),
    ...listExamples(path).flatMap(([line, use]) => [
      '.TP',
      `.I ${escapeRoff(`cardwire ${line}`)}`,
      wrap(use),
    ]),
    ...statuses.flatMap(([status, meaning]) => ['.TP', `exit status ${status}`, wrap(meaning)]),
  ]
}

/** Text for roff(7): no character of it is taken for a request or an escape. */
const escapeRoff = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('~', '\\(ti')
    .replaceAll(/[^ -~]/gu, toUnicodeEscape)
    .replace(/^[.']/, '\\&$&')

const toUnicodeEscape = (char: string) =>
  `\\[u${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}]`

/** The lines of a paragraph, none longer than mandoc(1) wants. */
const wrap = (text: string): string =>
  [...text.matchAll(/\S.{0,68}(?=\s|$)/g)].map(([line]) => escapeRoff(line)).join('\n')

const quote = (text: string) => `"${escapeRoff(text).replaceAll('"', '""')}"`
