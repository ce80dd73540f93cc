/** `npm run trust`: installs the root of the example in the trust stores of this user's browsers; --remove removes it. */
import { lstatSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import process from 'node:process'
import { getTrustFolderVariables } from './connector.ts'
import { runCommand, runConnectorCommand } from './connector-command.ts'
import { printLine, UsageError } from './terminal.ts'

/** Which browser reads which store. */
const storesHint =
  process.platform === 'linux'
    ? 'Chromium, Chrome and Edge read pki/nssdb; each Firefox profile has its own store. '
    : ''

await runCommand((data, args) => {
  const [other] = args.filter((arg) => arg !== '--remove')
  if (other !== undefined) {
    throw new UsageError(`There is no option ${other.slice(0, 80)}. The only one is --remove`)
  }
  const remove = args.includes('--remove')
  const folders = getTrustFolderVariables(data)
  printLine(
    remove
      ? 'Removing the root certificate of the example from the trust stores of your browsers:'
      : [
          'Making your browsers trust the root certificate of the example. It was created on this computer',
          'and is valid for localhost only. To undo this, run: npm run trust -- --remove',
        ].join('\n'),
  )
  linkTrustStores(folders)
  const status = runConnectorCommand(['certs', remove ? 'uninstall' : 'install'], folders)
  if (!remove) printLine(describeOutcome(status))
  return status
})

function describeOutcome(status: number): string {
  return status === 0
    ? `Each store above trusts the root certificate. ${storesHint}Restart your browser, then open the most recent URL from npm start.`
    : [
        `A store with a ✗ doesn’t trust the root certificate, so its browser shows no readers. ${storesHint}`.trimEnd(),
        'Fix the problem in its line, then run npm run trust again.',
      ].join('\n')
}

/** The trust stores are in the user's data folder: a link in the connector's own data folder leads there. */
function linkTrustStores(folders: Readonly<Record<string, string | undefined>>): void {
  const links = {
    linux: [join(folders['XDG_DATA_HOME'] ?? '', 'pki'), join(getDataHome(), 'pki')],
    darwin: [
      join(folders['HOME'] ?? '', 'Library/Keychains'),
      join(homedir(), 'Library/Keychains'),
    ],
  } as const
  const [link, target] = links[process.platform === 'darwin' ? 'darwin' : 'linux']
  if (process.platform === 'win32') return
  const found = lstatSync(link, { throwIfNoEntry: false })
  if (found?.isSymbolicLink()) return
  // A store of the connector's own, which no browser reads: a root in it would be trusted by nobody.
  rmSync(link, { recursive: true, force: true })
  mkdirSync(dirname(link), { recursive: true, mode: 0o700 })
  mkdirSync(target, { recursive: true, mode: 0o700 })
  symlinkSync(target, link)
}

function getDataHome(): string {
  const value = process.env['XDG_DATA_HOME'] ?? ''
  return isAbsolute(value) ? value : join(homedir(), '.local/share')
}
