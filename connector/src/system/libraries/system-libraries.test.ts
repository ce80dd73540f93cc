/** Which libraries are loaded: those at absolute paths, wherever the process is and whatever its environment says. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { proves } from '../../../../test/bed/proves.ts'
import { openLibrary } from './native.ts'
import { findSystemLibrary, getSafeFolder } from './system-libraries.ts'

const start = process.cwd()
const folder = mkdtempSync(join(tmpdir(), 'cardwire-libraries-'))
afterAll(() => {
  process.chdir(start)
  rmSync(folder, { recursive: true })
})

const compiler = 'cc'
writeFileSync(join(folder, 'planted.c'), 'int planted(void) { return 7; }')
execFileSync(compiler, ['-shared', '-o', 'libplanted.so.1', 'planted.c'], { cwd: folder })
process.chdir(folder)

const functions = { planted: { args: [], returns: 'i32' } } as const

test('a library at an absolute path is loaded', () => {
  expect(openLibrary(join(folder, 'libplanted.so.1'), functions).planted()).toBe(7)
})

test.each([
  'libplanted.so.1',
  './libplanted.so.1',
  `../${folder.split('/').at(-1)}/libplanted.so.1`,
  '',
])('a library that is named "%s" in its own folder is not loaded', (name) => {
  proves('libraries-planted')
  expect(() => openLibrary(name, functions)).toThrow('expected an absolute path')
})

test('a library of the system is named with its folder, and one that it has not is not found', () => {
  proves('libraries-planted')
  const path = findSystemLibrary('libc.so.6')
  expect([isAbsolute(path), path.endsWith('/libc.so.6')]).toEqual([true, true])
  expect(() => findSystemLibrary('libplanted.so.1')).toThrow(
    'Cannot find the library "libplanted.so.1" in /usr/lib/',
  )
})

test('the folder that the program goes to is that of the system', () => {
  expect(getSafeFolder()).toBe('/')
})
