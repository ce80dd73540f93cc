/** A browser for tests, chosen as a user chooses one: it notes what it is to open. */
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Installs it in a home as the one for http and https; the file in which each link is a line. */
export function makeBrowser(home: string): string {
  const [links, program] = [join(home, 'links'), join(home, 'browser')]
  writeFileSync(program, `#!/bin/sh\nprintf '%s\\n' "$*" >>'${links}'\n`)
  chmodSync(program, 0o755)
  const applications = join(home, '.local/share/applications')
  mkdirSync(applications, { recursive: true })
  writeFileSync(
    join(applications, 'noting.desktop'),
    `[Desktop Entry]\nType=Application\nName=Noting\nExec=${program} %u\n`,
  )
  mkdirSync(join(home, '.config'), { recursive: true })
  const defaults = ['http', 'https'].map((scheme) => `x-scheme-handler/${scheme}=noting.desktop`)
  writeFileSync(
    join(home, '.config/mimeapps.list'),
    `[Default Applications]\n${defaults.join('\n')}\n`,
  )
  return links
}
