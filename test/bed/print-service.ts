/** A real CUPS of its own: its socket, spool and queues lie in a folder, and it prints into files. */
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { type Program, type Settings, startProgram } from './program.ts'
import { waitFor } from './wait-for.ts'

export interface PrintedJob {
  readonly printer: string
  readonly title: string
  /** What the printer got. */
  readonly data: Uint8Array
}

export interface PrintService {
  /** What programs that print find in their environment. */
  readonly settings: Settings
  /** Resolves with all jobs so far, in their order, once there are so many. */
  printed(count: number): Promise<readonly PrintedJob[]>
  stop(): Promise<void>
}

/**
 * A backend as CUPS starts them (backend(7)): job, user, title, copies, options and, where nothing converts the data, the
 * file. It writes into the folder that the address of its printer names. The device `file:` of CUPS writes nothing of a job
 * that nothing converts.
 */
const backend = `#!/bin/sh
[ $# -eq 0 ] && exit 0
file="\${DEVICE_URI#folder:}/$1"
printf '%s' "$PRINTER" >"$file.printer"
printf '%s' "$3" >"$file.title"
cat -- "\${6:--}" >"$file.part" && mv "$file.part" "$file.data"
`

/** cupsd refuses to run its backends as root (cups-files.conf(5), User). */
const nobody = { uid: 65_534, gid: 65_534, user: 'nobody', group: 'nogroup' }

/** `printers`: the names of its queues. One whose name begins with `closed` accepts no jobs. */
export async function startPrintService(printers: readonly string[]): Promise<PrintService> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-cups-'))
  const within = (name: string) => join(folder, name)
  const output = within('printed')
  for (const name of ['bin/backend', 'cache', 'etc', 'log', 'printed', 'run', 'spool/tmp'])
    await mkdir(within(name), { recursive: true })
  await symlink('/usr/lib/cups/daemon', within('bin/daemon'))
  await writeFile(within('bin/backend/folder'), backend, { mode: 0o755 })
  const { user, group } = isRoot() ? nobody : { user: userInfo().username, group: readGroup() }
  const socket = within('run/socket')
  await writeFile(within('etc/cupsd.conf'), createConfiguration(socket))
  await writeFile(within('etc/cups-files.conf'), createPlaces(folder, user, group))
  const queues = printers.map((name) => createQueue(name, output)).join('')
  await writeFile(within('etc/printers.conf'), queues, { mode: 0o600 })
  const daemon = startDaemon(folder)
  const settings = { CUPS_SERVER: socket }
  const isReady = () =>
    spawnSync('lpstat', ['-e'], { env: { ...settings, PATH: process.env['PATH'] } })
      .stdout.toString()
      .includes(printers[0] ?? '')
  await waitFor(isReady, daemon.output)
  return {
    settings,
    async printed(count) {
      const list = async () => (await readdir(output)).filter((name) => name.endsWith('.data'))
      await waitFor(async () => (await list()).length >= count)
      const ids = (await list()).map((name) => Number.parseInt(name, 10)).toSorted((a, b) => a - b)
      return Promise.all(ids.map((id) => readJob(join(output, String(id)))))
    },
    async stop() {
      await daemon.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const isRoot = () => process.getuid?.() === 0
const readGroup = () => spawnSync('id', ['-gn'], { encoding: 'utf8' }).stdout.trim()

function startDaemon(folder: string): Program {
  const files = ['-c', join(folder, 'etc/cupsd.conf'), '-s', join(folder, 'etc/cups-files.conf')]
  const command = ['/usr/sbin/cupsd', '-f', ...files]
  if (!isRoot()) return startProgram(command)
  spawnSync('chown', ['-R', `${nobody.user}:${nobody.group}`, folder])
  return startProgram(command, { account: nobody })
}

/** Without a login: who reaches the socket may print. */
const createConfiguration = (socket: string) => `
Listen ${socket}
Browsing No
WebInterface No
DefaultAuthType None
<Location />
  Order allow,deny
  Allow all
</Location>
<Policy default>
  <Limit All>
    Order deny,allow
  </Limit>
</Policy>
`

const createPlaces = (folder: string, user: string, group: string) => `
ServerRoot ${folder}/etc
ServerBin ${folder}/bin
RequestRoot ${folder}/spool
TempDir ${folder}/spool/tmp
CacheDir ${folder}/cache
StateDir ${folder}/run
AccessLog ${folder}/log/access
ErrorLog ${folder}/log/error
PageLog ${folder}/log/page
User ${user}
Group ${group}
SystemGroup root
`

const createQueue = (name: string, output: string) => `<Printer ${name}>
DeviceURI folder:${output}
State Idle
Accepting ${name.startsWith('closed') ? 'No' : 'Yes'}
</Printer>
`

const readJob = async (file: string): Promise<PrintedJob> => ({
  printer: await readFile(`${file}.printer`, 'utf8'),
  title: await readFile(`${file}.title`, 'utf8'),
  data: await readFile(`${file}.data`),
})
