/** Checks the lock file: every package has its integrity, and a decision whether its install script may run. */
import { readFileSync } from 'node:fs'
import process from 'node:process'

export interface Lock {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly integrity?: string
        /** A link to a workspace. */
        readonly link?: boolean
        readonly hasInstallScript?: boolean
      }
    >
  >
}

/** What is wrong with the lock file. `allowScripts` is that of package.json. */
export function checkLock(
  { packages }: Lock,
  allowScripts: Readonly<Record<string, boolean>>,
): readonly string[] {
  const marker = 'node_modules/'
  return Object.entries(packages).flatMap(([path, { integrity, link, hasInstallScript }]) => {
    if (link || !path.includes(marker)) return []
    const name = path.slice(path.lastIndexOf(marker) + marker.length)
    return [
      ...(integrity?.startsWith('sha512-')
        ? []
        : [`package-lock.json: "${path}" has no integrity (SHA-512)`]),
      ...(hasInstallScript && allowScripts[name] === undefined
        ? [`package.json: allowScripts does not decide about the install script of "${name}"`]
        : []),
    ]
  })
}

if (import.meta.main) {
  const read = (file: string) =>
    JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
  const faults = checkLock(read('package-lock.json'), read('package.json').allowScripts)
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length === 0 ? 0 : 1
}
