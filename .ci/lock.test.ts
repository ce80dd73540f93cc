/** The check of the lock file, over lock files that are wrong. */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { checkLock } from './lock.ts'

const integrity = 'sha512-AAAA'

test.each([
  ['a package without integrity', { 'node_modules/a': {} }, /"node_modules\/a" has no integrity/],
  ['SHA-1', { 'node_modules/a': { integrity: 'sha1-AAAA' } }, /has no integrity/],
  [
    'a package of a workspace without integrity',
    { 'ds/node_modules/@b/a': {} },
    /"ds\/node_modules\/@b\/a"/,
  ],
  [
    'an install script that nobody decided about',
    { 'node_modules/a/node_modules/@b/c': { integrity, hasInstallScript: true } },
    /install script of "@b\/c"/,
  ],
])('checkLock refuses %s', (_, packages, fault) => {
  expect(checkLock({ packages }, {})).toEqual([expect.stringMatching(fault)])
})

test('checkLock accepts workspaces, packages with integrity, and scripts that are decided about', () => {
  const packages = {
    '': {},
    ds: {},
    'node_modules/@cardwire/ds': { link: true },
    'node_modules/a': { integrity, hasInstallScript: true },
  }
  expect(checkLock({ packages }, { a: false })).toEqual([])
})

test('the lock file of this repository is complete', () => {
  const read = (file: string) =>
    JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8'))
  expect(checkLock(read('package-lock.json'), read('package.json').allowScripts)).toEqual([])
})
