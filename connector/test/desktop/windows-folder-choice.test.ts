/** The choice of a folder as a user meets it on Windows, by its real calls: under Wine and Xvfb, answered by keys. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { proves } from '../../../test/bed/proves.ts'
import { buildProgram } from '../wine/build-program.ts'
import { openWine, type Wine } from '../wine/wine.ts'
import { type Session, startX11 } from './session.ts'

const title = 'https://shop.example: choose a folder'

let folder: string
let wine: Wine
let session: Session
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cardwire-desktop-'))
  session = await startX11()
  wine = await openWine(join(folder, 'prefix'), { hasManagedWindows: false })
  await buildProgram(join(import.meta.dirname, 'windows-program.ts'), join(folder, 'act.exe'))
})
afterAll(async () => {
  await wine.stop()
  await session.stop()
  rmSync(folder, { recursive: true, force: true })
})

const Answer = z.object({ answer: z.unknown() })

/** What our program says of the choice. */
async function choose(timeMs = 60_000): Promise<unknown> {
  const args = ['choose', title, 'C:\\', String(timeMs)]
  const { stdout } = wine.start(join(folder, 'act.exe'), args, session.environment)
  if (!stdout) throw new Error('Expected a pipe')
  return Answer.parse(JSON.parse(await text(stdout))).answer
}

/** Windows names the window in its own language; Wine in the tests has English. */
const window = '^Browse for Folder$'
const press = (...keys: readonly string[]) => session.windows.press(window, ...keys)

test('a user who presses OK chooses the folder that is marked', async () => {
  proves('file-type-chosen')
  const choice = choose()
  await press('Return')
  expect(await choice).toEqual({ kind: 'chosen', path: expect.stringMatching(/^C:\\users\\/) })
})

test('a user who closes the window chooses none', async () => {
  const choice = choose()
  await press('Escape')
  expect(await choice).toEqual({ kind: 'cancelled' })
})

test('the window goes when its time is over', async () => {
  expect(await choose(3000)).toEqual({ kind: 'late' })
  await session.windows.gone(window)
})
