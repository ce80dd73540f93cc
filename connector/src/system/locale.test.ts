/** Language and country, from what each system says. */
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { type LocaleSources, parseLocale, readLocale } from './locale.ts'

test.each([
  ['de_BE.UTF-8', 'de', 'BE'],
  ['nl_BE@euro', 'nl', 'BE'],
  ['sr_RS.utf8@latin', 'sr', 'RS'],
  ['zh-Hans-CN', 'zh', 'CN'],
  ['es-419', 'es', '419'],
  ['de_DE@currency=EUR\n', 'de', 'DE'],
  ['fr', 'fr', ''],
  ['C.UTF-8', '', ''],
  ['POSIX', '', ''],
  ['', '', ''],
  ['what is this', '', ''],
])('parseLocale of %j is language %j and country %j', (text, language, country) => {
  expect(parseLocale(text)).toEqual({ language, country })
})

const read = (platform: string, sources: Partial<LocaleSources>) =>
  readLocale(platform, sources.environment ?? {}, {
    environment: {},
    readFile: () => undefined,
    runProgram: () => undefined,
    readWindowsLocale: () => undefined,
    ...sources,
  })

describe('readLocale', () => {
  test.each([
    ['of LANG', { LANG: 'fr_BE.UTF-8' }, 'fr', 'BE'],
    [
      'in the language of messages',
      { LANG: 'fr_BE.UTF-8', LC_MESSAGES: 'en_US.UTF-8' },
      'en',
      'BE',
    ],
    [
      'with the formats of a country',
      { LANG: 'en_US.UTF-8', LC_ADDRESS: 'de_DE.UTF-8' },
      'en',
      'DE',
    ],
    ['where LC_ALL wins', { LANG: 'fr_BE', LC_MESSAGES: 'en_US', LC_ALL: 'nl_NL' }, 'nl', 'NL'],
    ['where an empty variable is none', { LANG: 'fr_BE.UTF-8', LC_ALL: '' }, 'fr', 'BE'],
    ['without any', {}, '', ''],
  ])('on Linux, %s', (_, environment, language, country) => {
    proves('user-locale')
    expect(read('linux', { environment })).toEqual({ language, country })
  })

  test('on Linux, without variables, is that of the machine', () => {
    const files: Record<string, string> = { '/etc/default/locale': 'LANG="fr_BE.UTF-8"\n' }

    expect(read('linux', { readFile: (path) => files[path] })).toEqual({
      language: 'fr',
      country: 'BE',
    })
  })

  test('on Windows is that of the user', () => {
    proves('user-locale')
    expect(
      read('win32', { readWindowsLocale: () => 'de-BE', environment: { LANG: 'fr_FR' } }),
    ).toEqual({ language: 'de', country: 'BE' })
  })

  test('on macOS asks defaults, and a terminal where that is silent', () => {
    proves('user-locale')
    const commands: string[] = []
    const runProgram: LocaleSources['runProgram'] = (program, args) => {
      commands.push([program, ...args].join(' '))
      return 'fr_BE@currency=EUR\n'
    }

    expect(read('darwin', { runProgram })).toEqual({ language: 'fr', country: 'BE' })
    expect(commands).toEqual(['/usr/bin/defaults read -g AppleLocale'])
    expect(read('darwin', { environment: { LANG: 'nl_NL.UTF-8' } })).toEqual({
      language: 'nl',
      country: 'NL',
    })
  })
})
