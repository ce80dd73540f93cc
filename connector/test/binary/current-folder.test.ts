/** The folder in which the binary is started may be one where another account writes: nothing in it is a part of the program. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { createHome, runCommand } from '../../../test/bed/connector.ts'
import { proves } from '../../../test/bed/proves.ts'

let home: string
let folder: string
beforeEach(async (context) => {
  home = await createHome()
  context.onTestFinished(() => rm(home, { recursive: true, force: true }))
  folder = join(home, 'downloads')
  await mkdir(folder)
})

const runThere = (args: readonly string[]) =>
  runCommand(home, args, {}, ['env', `--chdir=${folder}`])

test('a bunfig.toml of the current folder starts no program', async () => {
  proves('runtime-files-planted')
  await writeFile(join(folder, 'bunfig.toml'), 'preload = ["./preload.ts"]')
  await writeFile(join(folder, 'preload.ts'), `await Bun.write('${join(folder, 'was-here')}', '')`)
  expect(runThere(['version']).status).toBe(0)
  expect(existsSync(join(folder, 'was-here'))).toBe(false)
})

test('an .env of the current folder has no settings', async () => {
  proves('runtime-files-planted')
  await writeFile(join(folder, '.env'), 'CARDWIRE_DS_URL=https://elsewhere.example\n')
  expect(runThere(['settings']).out).not.toContain('elsewhere.example')
})

const compiler = 'cc'

/** What the connector loads on Linux, by names that a folder could have files of. */
const libraries = ['libc.so.6', 'libpcsclite.so.1']
/** The commands that load them, in all of their processes. */
const commands = [['doctor'], ['readers'], ['certs', 'status'], ['version']]

/** Leaves a file with its own name and `.ran`. */
const planted = `
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
static __attribute__((constructor)) void run(void) {
  Dl_info self;
  char path[4096];
  if (!dladdr((void *)run, &self)) return;
  snprintf(path, sizeof path, "%s.ran", self.dli_fname);
  fclose(fopen(path, "w"));
}`

// Without the library of the system, Bun looks for its name in the current folder.
const hideLibrary = [
  ...['unshare', '--mount', 'sh', '-c'],
  'for file in /usr/lib/*/libpcsclite.so.1; do [ ! -e "$file" ] || mount --bind /dev/null "$file"; done; exec "$@"',
  'sh',
]

test.skipIf(process.getuid?.() !== 0)(
  'libraries of the current folder are not loaded, also when the system has none of that name',
  async () => {
    proves('libraries-planted')
    await writeFile(join(folder, 'planted.c'), planted)
    const compiled = join(folder, 'planted.so')
    execFileSync(compiler, ['-shared', '-fPIC', '-o', compiled, join(folder, 'planted.c')])
    for (const name of libraries) await copyFile(compiled, join(folder, name))
    for (const command of commands)
      runCommand(home, command, {}, [...hideLibrary, 'env', `--chdir=${folder}`])

    expect((await readdir(folder)).filter((name) => name.endsWith('.ran'))).toEqual([])
  },
)
