/**
 * Installs what a fresh clone lacks: the npm packages, and with --tests the Debian packages that tests need.
 * Runs on whatever Node came with npm, before anything is installed: plain JavaScript, nothing but Node's own modules.
 */
import { execFileSync, execSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What tests use of the system, the Debian packages that bring it, and the tests that are left out without it. */
const programs = JSON.parse(readFileSync(`${root}.ci/programs.json`, 'utf8'))

installNpmPackages()
if (process.argv.includes('--tests')) installPrograms()

function installNpmPackages() {
  const manifests = [
    'package-lock.json',
    'package.json',
    'client/package.json',
    'client/protocol/package.json',
    'client/server/package.json',
    'client/react/package.json',
    'ds/package.json',
    'connector/package.json',
  ]
  const hash = createHash('sha256')
  for (const file of manifests) hash.update(readFileSync(`${root}${file}`))
  const wanted = hash.digest('hex')
  const marker = `${root}node_modules/.installed`
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) return
  say('Installing the npm packages (half a minute the first time) …')
  // Not `npm ci`: it refuses a lock without download addresses. --no-save leaves the lock as it is.
  runNpm(['install', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'])
  // npm before 12 runs the install scripts of all packages, whatever `allowScripts` says: they run here instead.
  const { allowScripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  runNpm(['rebuild', ...Object.keys(allowScripts).filter((name) => allowScripts[name])])
  writeFileSync(marker, wanted)
}

function runNpm(command) {
  const npm = process.env.npm_execpath
  const args = [...command, '--loglevel=error']
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  if (npm) execFileSync(process.execPath, [npm, ...args], options)
  else execSync(`npm ${args.join(' ')}`, options)
}

function installPrograms() {
  const missing = () => programs.filter(({ path }) => !existsSync(path))
  if (
    missing().length > 0 &&
    process.getuid?.() === 0 &&
    spawnSync('apt-get', ['--version']).status === 0
  ) {
    const names = missing().flatMap((program) => program.packages)
    say(`Installing Debian packages: ${names.join(', ')} …`)
    const options = {
      stdio: ['ignore', 'ignore', 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }
    spawnSync('apt-get', ['update', '-qq'], options)
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], options)
  }
  for (const { path, packages, tests } of missing()) {
    say(
      `Missing: ${path} (Debian packages ${packages.join(', ')}). Left out without it: ${tests.join(', ')}`,
    )
  }
  const unstartable = programs.filter((program) => program.root && process.getuid?.() !== 0)
  for (const { path, tests } of unstartable) {
    say(`Not root: ${path} cannot be started. Left out without it: ${tests.join(', ')}`)
  }
  // What CI leaves out it has not tested.
  if (missing().length + unstartable.length > 0 && process.env.CI === 'true') process.exit(1)
}

/** Progress is for people, not for whoever reads standard output. */
function say(line) {
  process.stderr.write(`${line}\n`)
}
