/** Makes the scripted card service: the library that programs load for the system's own. */
import { execFile } from 'node:child_process'
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { makeShared } from '../../../test/bed/shared-folder.ts'

const run = promisify(execFile)
const source = fileURLToPath(new URL('./service.c', import.meta.url))

const strict = ['-std=gnu11', '-Wall', '-Wextra', '-Werror', '-O1', '-shared']

/** The library a program of each system looks for, and how it is made. */
const libraries = {
  linux: {
    file: 'libpcsclite.so.1',
    compiler: 'cc',
    args: ['-fPIC', '-I/usr/include/PCSC', '-Wl,-soname,libpcsclite.so.1', source],
  },
  windows: {
    file: 'winscard.dll',
    compiler: 'x86_64-w64-mingw32-gcc',
    args: [source, '-lws2_32'],
  },
} as const

/** Puts it into `folder`; resolves with the path of the library. A run compiles it once. */
export async function buildScriptedCardService(
  system: keyof typeof libraries,
  folder: string,
): Promise<string> {
  const { file, compiler, args } = libraries[system]
  const shared = await makeShared(`card-service-${system}`, async (draft) => {
    await run(compiler, [...strict, '-o', join(draft, file), ...args])
  })
  const path = join(folder, file)
  await mkdir(folder, { recursive: true })
  await copyFile(join(shared, file), path)
  return path
}
