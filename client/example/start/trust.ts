/** `npm run trust`: installs the root of the example in the trust stores of this person's browsers; --remove removes it. */
import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import process from 'node:process'
import { getTrustFolderVariables } from './connector.ts'
import { requireStarted, runConnectorCommand } from './connector-command.ts'
import { readSettings } from './settings.ts'
import { printLine } from './terminal.ts'

const { data } = await readSettings(process.env)
const folders = getTrustFolderVariables(data)
requireStarted(data)
const remove = process.argv.includes('--remove')
printLine(
  remove
    ? 'Taking the root of the example out of the trust stores of your browsers, and removing it:'
    : [
        'Making your browsers trust the root that the connector of the demonstration has made on',
        'this machine. It is valid for localhost alone; npm run trust -- --remove takes it back:',
      ].join('\n'),
)
linkTrustStores()
const status = runConnectorCommand(['certs', remove ? 'uninstall' : 'install'], folders)
if (status === 0 && !remove)
  printLine('Start the browser again: it reads its trust store only at its start.')
process.exitCode = status

/** The trust stores are in the person's data folder: a link in the connector's own data folder leads there. */
function linkTrustStores(): void {
  const links = {
    linux: [join(folders['XDG_DATA_HOME'] ?? '', 'pki'), join(getDataHome(), 'pki')],
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

function getDataHome(): string {
  const value = process.env['XDG_DATA_HOME'] ?? ''
  return isAbsolute(value) ? value : join(homedir(), '.local/share')
}
