/** Libraries that lie in the folder where the program is started, and beside it, are none of the system's: Windows, under Wine. */
import { execFileSync } from 'node:child_process'
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { compiler } from '../../packages/windows/native.ts'
import { buildProgram } from './build-program.ts'
import { openWine, type Wine, windowsPath } from './wine.ts'

/** What the connector loads, without what Bun and Wine load before its first line runs. */
const names = ['credui.dll', 'crypt32.dll', 'ncrypt.dll', 'winscard.dll', 'winspool.drv']

/** Leaves a file with its own name and `.ran`. */
const planted = `
#include <windows.h>
#include <string.h>
BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, LPVOID reserved) {
  char path[MAX_PATH + 5];
  if (reason == DLL_PROCESS_ATTACH && GetModuleFileNameA(self, path, MAX_PATH))
    CloseHandle(CreateFileA(strcat(path, ".ran"), GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL));
  (void)reserved;
  return TRUE;
}`

let folder: string
let wine: Wine
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-planted-'))
  wine = await openWine(join(folder, 'prefix'))
  await buildProgram(
    fileURLToPath(new URL('./planted-program.ts', import.meta.url)),
    join(folder, 'program.exe'),
  )
  await writeFile(join(folder, 'planted.c'), planted)
  execFileSync(compiler, ['-shared', '-o', 'planted.dll', 'planted.c'], {
    cwd: folder,
  })
  for (const name of names) await copyFile(join(folder, 'planted.dll'), join(folder, name))
})
afterAll(async () => {
  await wine.stop()
  await rm(folder, { recursive: true })
})

test('every library comes from the folder of Windows, whatever SystemRoot says, and so does the folder of its data', async () => {
  proves('libraries-planted', 'elevated-user-settings')
  // Wine prefers its own by name; Windows takes those beside the program first.
  const overrides = names.map((name) => `${name.replace(/\.dll$/, '')}=n,b`).join(';')
  const { stdout } = wine.start(windowsPath(join(folder, 'program.exe')), [], {
    WINEDLLOVERRIDES: overrides,
    SystemRoot: windowsPath(folder),
    ProgramData: windowsPath(folder),
  })
  expect(stdout && (await text(stdout))).toBe('')
  expect((await readdir(folder)).filter((name) => name.endsWith('.ran'))).toEqual([])
})
