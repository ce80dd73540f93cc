/** The language and the country of the user, as the settings of the system say; the runtime always says en-US. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { readWindowsLocaleName } from './native.ts'

export interface Locale {
  /** ISO 639, such as `de`; empty: the system does not say. */
  readonly language: string
  /** ISO 3166, such as `BE`; empty: the system does not say. */
  readonly country: string
}

/** What the system says; each is called when it is needed. */
export interface LocaleSources {
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The text of a file; undefined: it cannot be read. */
  readonly readFile: (path: string) => string | undefined
  /** The output of a program; undefined: it failed. */
  readonly runProgram: (program: string, args: readonly string[]) => string | undefined
  readonly readWindowsLocale: () => string | undefined
}

/** How long the command may take, in milliseconds. */
const timeoutMs = 2000

const systemSources = (environment: LocaleSources['environment']): LocaleSources => ({
  environment,
  readFile(path) {
    try {
      return readFileSync(path, 'utf8')
    } catch {
      return undefined
    }
  },
  runProgram(program, args) {
    const { status, stdout } = spawnSync(program, args, { encoding: 'utf8', timeout: timeoutMs })
    return status === 0 ? stdout : undefined
  },
  readWindowsLocale: readWindowsLocaleName,
})

/** Where Linux has the locale of the machine: systemd's locale.conf(5), and Debian's file before it. */
const machineFiles = ['/etc/locale.conf', '/etc/default/locale']

// locale(7): the language of messages, and the country of addresses. LC_ALL overrides each, LANG stands in for each.
const languageVariables = ['LC_ALL', 'LC_MESSAGES', 'LANG']
const countryVariables = ['LC_ALL', 'LC_ADDRESS', 'LC_MONETARY', 'LANG', 'LC_MESSAGES']

export function readLocale(
  platform: string,
  environment: LocaleSources['environment'],
  sources: LocaleSources = systemSources(environment),
): Locale {
  if (platform === 'win32') return parseLocale(sources.readWindowsLocale())
  // An application of macOS has no such variables, a terminal has.
  const apple = () => sources.runProgram('/usr/bin/defaults', ['read', '-g', 'AppleLocale'])
  if (platform === 'darwin') return pickFirst(parseLocale(apple()), readVariables(environment))
  return machineFiles.reduce(
    (locale, path) => pickFirst(locale, readVariables(parseEnv(sources.readFile(path) ?? ''))),
    readVariables(environment),
  )
}

/** A part that the first does not say is the second's. */
const pickFirst = (first: Locale, second: Locale): Locale => ({
  language: first.language || second.language,
  country: first.country || second.country,
})

function readVariables(variables: Readonly<Record<string, string | undefined>>): Locale {
  // An empty variable counts as not set.
  const find = (names: readonly string[]) =>
    parseLocale(names.map((name) => variables[name]).find(Boolean))
  return { language: find(languageVariables).language, country: find(countryVariables).country }
}

/** Parses `de_BE.UTF-8@euro`, `de_BE@currency=EUR` and `zh-Hans-CN`. `C` and `POSIX` say neither language nor country. */
export function parseLocale(text = ''): Locale {
  const tag = text
    .trim()
    .replace(/[.@].*$/s, '')
    .replaceAll('_', '-')
  if (['C', 'POSIX'].includes(tag)) return { language: '', country: '' }
  try {
    const { language, region = '' } = new Intl.Locale(tag)
    return { language, country: region }
  } catch {
    return { language: '', country: '' }
  }
}
