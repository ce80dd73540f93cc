/** The person whose session this is, and the machine, as the runtime tells. */
import { arch, homedir, hostname, release, tmpdir, userInfo } from 'node:os'
import type { Person } from '../api/services.ts'

export function currentPerson(environment: Readonly<Record<string, string | undefined>>): Person {
  const { username } = userInfo()
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions()
  const { language, region = '' } = new Intl.Locale(locale)
  return {
    // Bun asks USER alone, and says unknown without it.
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
