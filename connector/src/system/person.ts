/** The user of this session and the machine, as the runtime reports them. */
import { arch, homedir, hostname, release, tmpdir, userInfo } from 'node:os'

/** The user of this connector, and the machine. */
export interface Person {
  readonly username: string
  readonly hostName: string
  readonly home: string
  readonly tempDir: string
  readonly timezone: string
  readonly language: string
  readonly country: string
  readonly os: { readonly name: string; readonly version: string; readonly architecture: string }
}

export function readPerson(environment: Readonly<Record<string, string | undefined>>): Person {
  const { username } = userInfo()
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions()
  const { language, region = '' } = new Intl.Locale(locale)
  return {
    // Bun reads USER alone, and returns unknown without it.
    username: environment['USER'] ?? environment['LOGNAME'] ?? username,
    hostName: hostname(),
    home: environment['HOME'] ?? homedir(),
    tempDir: tmpdir(),
    timezone: timeZone,
    language,
    country: region,
    os: { name: process.platform, version: release(), architecture: arch() },
  }
}
