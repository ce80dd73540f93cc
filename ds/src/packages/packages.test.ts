/** Which key the address of a package names. */
import { expect, test } from 'vitest'
import { toPackageKey } from './packages.ts'

test.each([
  ['a file', 'file:///setup.msi', 'setup.msi'],
  ['a file in folders', 'file:///win/4.0.1/setup.msi', 'win/4.0.1/setup.msi'],
  ['the scheme in capitals', 'FILE:///setup.msi', 'setup.msi'],
  ['a name in capitals, kept', 'file:///Setup.MSI', 'Setup.MSI'],
  ['an encoded space', 'file:///my%20setup.msi', 'my setup.msi'],
  ['a plain space', 'file:///my setup.msi', 'my setup.msi'],
  ['encoded unicode', 'file:///gr%C3%B6%C3%9Fe.pkg', 'größe.pkg'],
  ['plain unicode', 'file:///größe/日本.pkg', 'größe/日本.pkg'],
  ['an encoded question mark', 'file:///what%3F.pkg', 'what?.pkg'],
  ['an encoded number sign', 'file:///no%231.pkg', 'no#1.pkg'],
  ['an encoding that was encoded, decoded once', 'file:///%252e%252e/a', '%2e%2e/a'],
  ['dots in and around a name', 'file:///.hidden/..a/b../...', '.hidden/..a/b../...'],
  ['a drive letter, which is a folder here', 'file:///C:/setup.msi', 'C:/setup.msi'],
])('toPackageKey takes %s', (_, uri, key) => {
  expect(toPackageKey(uri)).toBe(key)
})

test.each([
  ['a step up', 'file:///../secret'],
  ['a step up behind a folder', 'file:///win/../../secret'],
  ['a step up at the end', 'file:///win/..'],
  ['an encoded step up', 'file:///%2e%2e/secret'],
  ['a step up in capital encoding', 'file:///%2E%2E/secret'],
  ['a half encoded step up', 'file:///.%2e/secret'],
  ['a step up hidden behind an encoded slash', 'file:///win%2F..%2Fsecret'],
  ['a step that stays', 'file:///./setup.msi'],
  ['an encoded step that stays', 'file:///%2e/setup.msi'],
  ['an encoded slash', 'file:///win%2fsetup.msi'],
  ['a backslash', 'file:///win\\setup.msi'],
  ['an encoded backslash', 'file:///..%5C..%5Csecret'],
  ['NUL', 'file:///setup.msi\0.txt'],
  ['encoded NUL', 'file:///setup.msi%00.txt'],
  ['a line end', 'file:///setup\n.msi'],
  ['an encoded line end', 'file:///setup%0d%0aset-cookie:a.msi'],
  ['encoded DEL', 'file:///setup%7f.msi'],
  ['a double slash', 'file:///win//setup.msi'],
  ['a double slash at the start', 'file:////etc/passwd'],
  ['a trailing slash', 'file:///win/'],
  ['no path', 'file:///'],
  ['a query', 'file:///setup.msi?a=b'],
  ['a fragment', 'file:///setup.msi#a'],
  ['a broken encoding', 'file:///100%.msi'],
  ['an encoding that is no UTF-8', 'file:///%c0%ae%c0%ae/secret'],
  ['a host', 'file://server/share/setup.msi'],
  ['one slash', 'file:/setup.msi'],
  ['space before', ' file:///setup.msi'],
  ['another scheme', 'https://example.org/setup.msi'],
  ['a path alone', '/setup.msi'],
  ['nothing', ''],
])('toPackageKey refuses %s', (_, uri) => {
  expect(toPackageKey(uri)).toBeUndefined()
})
