/** Names of files and folders that pages may use, and paths as they send them. */
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { findNameFault, parseSegments } from './file-names.ts'

describe('a name', () => {
  test.each([
    'a.pdf',
    'Rechnung März 2026.pdf',
    'ファイル.txt',
    'a,b',
    'trailing-~1-not.txt',
    'console.log.txt',
    'x'.repeat(255),
    '👩‍👧.txt',
    'exe',
  ])('%j may be read', (name) => {
    expect(findNameFault(name)).toBeUndefined()
  })

  test.each([
    '',
    '.',
    '..',
    '...',
    '.ssh',
    'a/b',
    'a\\b',
    'C:',
    'C:x',
    'a.txt:stream',
    'a\0.txt',
    'a\nb',
    'a.',
    'a ',
    'con',
    'CON.txt',
    'Con .txt',
    'nul',
    'com1',
    'COM¹',
    'lpt9.pdf',
    'CONIN$',
    'a<b',
    'a|b',
    'a*b',
    'PROGRA~1',
    'SSH~1.TXT',
    '\u2025',
    '\uff0e\uff0e',
    '\u2024ssh',
    'a\uff0fb',
    'a\uff3cb',
    '\ud800',
    'x'.repeat(256),
    'é'.repeat(128),
  ])('%j is refused', (name) => {
    proves('file-path-escape', 'folder-too-broad')
    expect(findNameFault(name)).toEqual(expect.any(String))
  })
})

describe('the segments of a path', () => {
  test.each<[readonly string[] | undefined, readonly string[]]>([
    [undefined, []],
    [[''], []],
    [
      ['a', 'b'],
      ['a', 'b'],
    ],
    [
      ['a/b', 'c\\d'],
      ['a', 'b', 'c', 'd'],
    ],
    [Array.from({ length: 32 }, () => 'x'), Array.from({ length: 32 }, () => 'x')],
  ])('of %j are %j', (elements, segments) => {
    expect(parseSegments(elements)).toEqual(segments)
  })

  test.each<[readonly string[]]>([
    [['..']],
    [['a', '..', 'b']],
    [['a/../../b']],
    [['/etc']],
    [['\\\\server\\share']],
    [['C:\\Windows']],
    [['a//b']],
    [['a/']],
    [['./a']],
    [['a\0']],
    [Array.from({ length: 33 }, () => 'x')],
    [[`${'x/'.repeat(32)}x`]],
  ])('of %j are refused', (elements) => {
    expect(() => parseSegments(elements)).toThrow(
      expect.objectContaining({ name: 'file-path-refused' }),
    )
  })

  test('of very many folders in one element no more are made than show that they are too many', () => {
    proves('files-flood')
    const split = vi.spyOn(String.prototype, 'split')
    onTestFinished(() => split.mockRestore())
    expect(() => parseSegments(['/'.repeat(4096)])).toThrow('more than 32 folders')
    expect(split.mock.results.map(({ value }) => value.length)).toEqual([33])
  })
})
