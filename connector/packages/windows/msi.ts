/** The package for Windows: one for processors of 64 bits, which installs for every account of the machine. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { hash, normalize } from '../../../.ci/packaging/archives.ts'
import { copy, write } from '../../../.ci/packaging/files.ts'
import { buildAtrList } from '../../build/atr-list.ts'
import { setWindowsResources } from '../../build/windows-resources.ts'
import { fillIn } from '../fill-in.ts'
import { createIco } from '../icon/icon.ts'
import type { PackageFacts, PackageFile, PackageFormat } from '../package-facts.ts'
import { collectProgramLicences } from '../program-licences.ts'
import { writeDatabase } from './database.ts'
import { compiler, compileSetup, compileShim } from './native.ts'
import { names } from './places.ts'
import { signMsi } from './slotted-msi.ts'
import { createTables } from './tables.ts'

const taskTemplate = fileURLToPath(new URL('./files/trust-task.xml', import.meta.url))
const cabinet = 'cardwire.cab'
const setup = 'setup.dll'

export const msi: PackageFormat = {
  tools: {
    msibuild: 'msitools',
    gcab: 'gcab',
    faketime: 'faketime',
    [compiler]: 'gcc-mingw-w64-x86-64',
    // It makes the slot, whatever signs.
    ...(process.env['CARDWIRE_SIGN_WINDOWS'] && { osslsigncode: 'osslsigncode' }),
  },
  async build(facts) {
    const { version, writtenAt, work, out, report } = facts
    const file = `cardwire-${version}-x64.msi`
    const folder = join(work, 'msi')
    const tree = join(folder, 'files')
    await layOut(tree, facts)
    report(`${file} …`)
    normalize(tree, writtenAt)
    const files = readdirSync(tree).toSorted()
    packCabinet(join(folder, cabinet), tree, files, facts)
    const tables = createTables({
      version,
      writtenAt,
      cabinet,
      setup,
      files: files.map((name) => ({ name, bytes: statSync(join(tree, name)).size })),
      contents: hashAll([...files.map((name) => join(tree, name)), join(folder, 'Binary', setup)]),
    })
    writeDatabase(join(out, file), tables, { [cabinet]: join(folder, cabinet) }, folder, writtenAt)
    const slot = signMsi(join(out, file), facts)
    const made: PackageFile = { file, system: 'WIN64', architecture: 'x64' }
    return [slot ? { ...made, slot } : made]
  },
}

/** The files of the package in `tree`; beside it, in folders of their tables, the icon and the actions of the installer. */
async function layOut(tree: string, facts: PackageFacts): Promise<void> {
  const { version, signWindows } = facts
  // It is signed where it is compiled.
  copy(await facts.compileProgram('windows-x64'), join(tree, names.program))
  await buildAtrList(tree)
  write(join(tree, names.licences), collectProgramLicences(facts))
  const shim = join(tree, names.shim)
  compileShim(shim)
  writeFileSync(shim, setWindowsResources(readFileSync(shim), version))
  signWindows?.(shim)
  const task = fillIn(taskTemplate, { TASK: names.task, PROGRAM: names.program })
  // UTF-16 with its mark: what Windows itself writes.
  write(join(tree, names.taskFile), Buffer.from(`\ufeff${task}`, 'utf16le'))
  write(join(tree, '..', 'Icon', names.icon), createIco())
  const actions = join(tree, '..', 'Binary', setup)
  mkdirSync(dirname(actions))
  compileSetup(actions)
  signWindows?.(actions)
}

/** The times in it are those of the place where it is made. */
function packCabinet(
  path: string,
  tree: string,
  files: readonly string[],
  { isFast }: PackageFacts,
): void {
  const compression = isFast ? [] : ['--zip']
  execFileSync('gcab', ['--create', ...compression, '--nopath', path, ...files], {
    cwd: tree,
    env: { ...process.env, TZ: 'UTC' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

function hashAll(files: readonly string[]): string {
  const hashes = files.map((file) => hash('sha256', file))
  return createHash('sha256').update(hashes.join()).digest('hex')
}
