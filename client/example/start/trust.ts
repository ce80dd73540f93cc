/** `npm run trust`: makes this person's browsers believe the root of the demonstration, or with --remove no longer. */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import process from 'node:process'
import { mustHaveStarted, runByHand } from './by-hand.ts'
import { foldersForTrust } from './connector.ts'
import { say } from './place.ts'
import { readSettings } from './settings.ts'

const { data } = await readSettings(process.env)
const folders = foldersForTrust(data)
mustHaveStarted(data)
const remove = process.argv.includes('--remove')
say(
  remove
    ? 'Taking the root of the demonstration out of the trust stores of your browsers, and removing it:'
    : [
        'Making your browsers believe the root that the connector of the demonstration has made on',
        'this machine. It is good for localhost alone; npm run trust -- --remove takes it back:',
      ].join('\n'),
)
linkStores()
const status = runByHand(['certs', remove ? 'uninstall' : 'install'], folders)
if (status === 0 && !remove) say('Start the browser again: it reads this only at its start.')
process.exitCode = status

/** What browsers believe lies where the person's data lies: from the folder of our own a link leads there. */
function linkStores(): void {
  const links = {
    linux: [join(folders['XDG_DATA_HOME'] ?? '', 'pki'), join(dataHome(), 'pki')],
    darwin: [
      join(folders['HOME'] ?? '', 'Library/Keychains'),
      join(homedir(), 'Library/Keychains'),
    ],
  } as const
  const [link, target] = links[process.platform === 'darwin' ? 'darwin' : 'linux']
  if (process.platform === 'win32' || existsSync(link)) return
  mkdirSync(dirname(link), { recursive: true, mode: 0o700 })
  mkdirSync(target, { recursive: true, mode: 0o700 })
  symlinkSync(target, link)
}

function dataHome(): string {
  const value = process.env['XDG_DATA_HOME'] ?? ''
  return isAbsolute(value) ? value : join(homedir(), '.local/share')
}
