/** Compiles the two programs in C: the one that starts the connector, and the actions of the installer. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { finalExitCodes, names, registryMemory } from './places.ts'

export const compiler = 'x86_64-w64-mingw32-gcc'

const wide = (text: string) => `L"${text.replaceAll('\\', '\\\\')}"`

const facts = {
  FINAL_EXIT_CODES: finalExitCodes.join(),
  MEMORY_MAX: String(registryMemory),
  SERVICE_NAME: wide(names.service),
  SETTINGS_KEY: wide(names.settingsKey),
}

const options = [
  ...['-O2', '-Wall', '-Wextra', '-Werror', '-s', '-DUNICODE', '-D_UNICODE'],
  // Without the time of the build and an address made of the output's path, and with no library beside it.
  ...['-Wl,--no-insert-timestamp,--disable-auto-image-base', '-static'],
  ...Object.entries(facts).map(([name, value]) => `-D${name}=${value}`),
]

/** `cardwire-service.exe`: the service of the machine, and the start of a user's connector without a console. */
export const compileShim = (output: string): void =>
  compileFolder('service', output, ['-municode', '-mwindows'])

/** The actions of the installer that its tables cannot say. */
export const compileSetup = (output: string): void =>
  compileFolder('setup', output, ['-shared', '-lmsi', '-lwtsapi32', '-luserenv'])

/** Their bytes, by the folder of their sources: a process that makes several packages compiles each once. */
const compiled = new Map<string, Buffer>()

/** `specific`: options of this one; a library is named after who needs it. */
function compileFolder(name: string, output: string, specific: readonly string[]): void {
  const known = compiled.get(name)
  if (known) {
    writeFileSync(output, known)
    return
  }
  const folder = fileURLToPath(new URL(name, import.meta.url))
  const sources = readdirSync(folder).filter((file) => /\.(c|def)$/.test(file))
  execFileSync(compiler, [...options, ...sources, ...specific, '-o', output], {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  compiled.set(name, readFileSync(output))
}
