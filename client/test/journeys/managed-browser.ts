/** A browser of a managed machine: it finds policies where an administrator puts them, and no other program does. */
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Files that are there for moments, while another program adds a user (shadow(5), lckpwdf(3)). */
const brief = /\/(?:passwd|shadow|group|gshadow|subuid|subgid)[.+-][^/]*$/

/** Makes a program in `folder` that starts `program` with this file in `/etc`, which it has to itself. */
export async function createManagedProgram(
  folder: string,
  program: string,
  file: { readonly path: string; readonly content: string },
): Promise<string> {
  const etc = join(folder, 'etc')
  await cp('/etc', etc, {
    ...{ recursive: true, verbatimSymlinks: true },
    filter: (path) => !brief.test(path),
  })
  const path = join(etc, file.path.slice('/etc/'.length))
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, file.content)
  const started = join(folder, 'managed-browser')
  const script = `mount --bind '${etc}' /etc && exec ${program} "$@"`
  await writeFile(
    started,
    `#!/bin/sh\nexec unshare --mount sh -c '${script.replaceAll("'", `'"'"'`)}' sh "$@"\n`,
  )
  await chmod(started, 0o755)
  return started
}
