/** The RPM package: for Fedora, Red Hat Enterprise Linux 9, and what is made of them. */
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { listFiles, normalize } from '../../../.ci/packaging/archives.ts'
import { write } from '../../../.ci/packaging/files.ts'
import type { PackageFacts, PackageFile, PackageFormat } from '../package-facts.ts'
import { toPackageVersion } from './documents.ts'
import { layOut } from './layout.ts'
import { places } from './places.ts'
import { render, renderScript } from './render.ts'

const architecture = 'x86_64'

/** What administrators turn off for a fleet: units are enabled by it, never by a script. */
const presets = {
  'usr/lib/systemd/system-preset/50-cardwire.preset': 'system.preset',
  'usr/lib/systemd/user-preset/50-cardwire.preset': 'user.preset',
} as const

export const rpm: PackageFormat = {
  tools: { rpmbuild: 'rpm' },
  async build(facts) {
    const tree = join(facts.work, 'rpm')
    const times = await layOut(tree, 'x64', facts)
    // Fedora's zsh reads no other folder.
    const zsh = join(tree, 'usr/share/zsh')
    renameSync(join(zsh, 'vendor-completions'), join(zsh, 'site-functions'))
    for (const [path, name] of Object.entries(presets)) write(join(tree, path), render(name))
    normalize(tree, facts.writtenAt, times)
    return [pack(tree, facts)]
  },
}

function pack(tree: string, facts: PackageFacts): PackageFile {
  const file = `cardwire-${toPackageVersion(facts.version)}-1.${architecture}.rpm`
  const paths = [...listFiles(tree), places.link].map((path) => `"/${path}"\n`)
  const spec = join(facts.work, 'cardwire.spec')
  write(
    spec,
    render('cardwire.spec', {
      VERSION: toPackageVersion(facts.version),
      ARCHITECTURE: architecture,
      ...renderScriptlets(),
      DATE: formatDate(facts.writtenAt),
      FILES: ['%dir "/usr/lib/cardwire"\n', ...paths].join(''),
    }),
  )
  facts.report(`${file} …`)
  const made = join(facts.work, 'rpms')
  const defines = Object.entries({
    _topdir: join(facts.work, 'rpmbuild'),
    _rpmdir: made,
    _rpmfilename: file,
    // Nothing of the program is stripped: its code lies behind the end of the ELF file.
    __os_install_post: '%{nil}',
    debug_package: '%{nil}',
    _build_id_links: 'none',
    _binary_payload: facts.isFast ? 'w3.zstdio' : 'w19.zstdio',
    _buildhost: 'localhost',
    use_source_date_epoch_as_buildtime: '1',
    clamp_mtime_to_source_date_epoch: '1',
  }).flatMap(([name, value]) => ['--define', `${name} ${value}`])
  const buildRoot = join(facts.work, 'rpm-root')
  cpSync(tree, buildRoot, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
  execFileSync(
    'rpmbuild',
    ['-bb', '--quiet', '--target', architecture, '--buildroot', buildRoot, ...defines, spec],
    {
      env: { ...process.env, SOURCE_DATE_EPOCH: String(facts.writtenAt) },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const [name = ''] = readdirSync(made)
  renameSync(join(made, name), join(facts.out, file))
  return { file, system: 'UNIX', architecture: 'x64' }
}

/** As a changelog of a spec file has it: `Sun Nov 22 2026`, in UTC. */
function formatDate(seconds: number): string {
  const [day = '', date, month, year] = new Date(seconds * 1000).toUTCString().split(' ')
  return [day.slice(0, 3), month, date, year].join(' ')
}

/** `%` begins a macro of the spec file. */
const renderScriptlets = () =>
  Object.fromEntries(
    ['pre', 'post', 'preun', 'postun'].map((name) => [
      name.toUpperCase(),
      renderScript(`rpm-${name}`).replaceAll('%', '%%'),
    ]),
  )
