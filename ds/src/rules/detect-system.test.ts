/** Which installers the requests of real browsers and programs ask for. */
import type { Platform } from '@cardwire/protocol'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { detectSystem, type SystemHeaders, wantedHints } from './detect-system.ts'

const noHeaders: SystemHeaders = {
  userAgent: undefined,
  platform: undefined,
  mobile: undefined,
  architecture: undefined,
  bitness: undefined,
}

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const onWindows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const onMac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const chromeOnWindows = `${onWindows} ${webkit} Chrome/138.0.0.0 Safari/537.36`
const chromeOnMac = `${onMac} ${webkit} Chrome/138.0.0.0 Safari/537.36`
const chromeOnLinux = `Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/138.0.0.0 Safari/537.36`
const safari = 'AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5'

const windows64: readonly Platform[] = ['WIN64', 'WIN32']
const windows32: readonly Platform[] = ['WIN32']
const mac: readonly Platform[] = ['MACOS', 'MACOSARM']
const macArm: readonly Platform[] = ['MACOSARM', 'MACOS']
const unix: readonly Platform[] = ['UNIX']
const none: readonly Platform[] = []

describe('detectSystem, by the User-Agent of a browser,', () => {
  test.each([
    { browser: 'Chrome on Windows 10 and 11', userAgent: chromeOnWindows, installers: windows64 },
    {
      browser: 'Edge on Windows 10 and 11',
      userAgent: `${chromeOnWindows} Edg/138.0.0.0`,
      installers: windows64,
    },
    {
      browser: 'Firefox on Windows 10 and 11',
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0',
      installers: windows64,
    },
    {
      browser: 'Firefox on Windows on ARM',
      userAgent:
        'Mozilla/5.0 (Windows NT 10.0; Win64; arm64; rv:140.0) Gecko/20100101 Firefox/140.0',
      installers: windows64,
    },
    {
      browser: 'Firefox on 32-bit Windows',
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0',
      installers: windows32,
    },
    {
      browser: 'Chrome on 32-bit Windows',
      userAgent: `Mozilla/5.0 (Windows NT 10.0) ${webkit} Chrome/109.0.0.0 Safari/537.36`,
      installers: windows32,
    },
    {
      browser: '32-bit Chrome on 64-bit Windows',
      userAgent: `Mozilla/5.0 (Windows NT 10.0; WOW64) ${webkit} Chrome/109.0.0.0 Safari/537.36`,
      installers: windows64,
    },
    {
      browser: 'Internet Explorer with touch on 64-bit Windows',
      userAgent: 'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; Touch; rv:11.0) like Gecko',
      installers: windows64,
    },
    {
      browser: 'Safari on a Mac of either kind',
      userAgent: `${onMac} ${safari} Safari/605.1.15`,
      installers: mac,
    },
    { browser: 'Chrome on a Mac of either kind', userAgent: chromeOnMac, installers: mac },
    {
      browser: 'Firefox on a Mac of either kind',
      userAgent:
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
      installers: mac,
    },
    { browser: 'Chrome on Linux', userAgent: chromeOnLinux, installers: unix },
    {
      browser: 'Firefox on Ubuntu',
      userAgent: 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
      installers: unix,
    },
    {
      browser: 'Firefox on Linux on ARM',
      userAgent: 'Mozilla/5.0 (X11; Linux aarch64; rv:140.0) Gecko/20100101 Firefox/140.0',
      installers: unix,
    },
    {
      browser: 'Firefox on FreeBSD',
      userAgent: 'Mozilla/5.0 (X11; FreeBSD amd64; rv:128.0) Gecko/20100101 Firefox/128.0',
      installers: unix,
    },
    {
      browser: 'Chrome on ChromeOS',
      userAgent: `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/138.0.0.0 Safari/537.36`,
      installers: none,
    },
    {
      browser: 'Chrome on an Android phone',
      userAgent: `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/138.0.0.0 Mobile Safari/537.36`,
      installers: none,
    },
    {
      browser: 'Chrome on an Android tablet',
      userAgent: `Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/138.0.0.0 Safari/537.36`,
      installers: none,
    },
    {
      browser: 'Firefox on an Android phone',
      userAgent: 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0',
      installers: none,
    },
    {
      browser: 'Firefox on an Android tablet',
      userAgent: 'Mozilla/5.0 (Android 15; Tablet; rv:140.0) Gecko/140.0 Firefox/140.0',
      installers: none,
    },
    {
      browser: 'Safari on an iPhone',
      userAgent: `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${safari} Mobile/15E148 Safari/604.1`,
      installers: none,
    },
    {
      browser: 'Safari on an iPad, which says Macintosh',
      userAgent: `${onMac} ${safari} Mobile/15E148 Safari/604.1`,
      installers: none,
    },
    {
      browser: 'Chrome on an iPad',
      userAgent:
        'Mozilla/5.0 (iPad; CPU OS 17_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/138.0.7204.119 Mobile/15E148 Safari/604.1',
      installers: none,
    },
    {
      browser: 'a television',
      userAgent: `Mozilla/5.0 (SMART-TV; Linux; Tizen 6.0) ${webkit} Chrome/76.0.3809.146 TV Safari/537.36`,
      installers: none,
    },
    { browser: 'one that tells nothing', userAgent: 'Mozilla/5.0', installers: none },
  ])('$browser', ({ userAgent, installers }) => {
    proves('installer-by-user-agent')
    expect(detectSystem({ ...noHeaders, userAgent })).toMatchObject({ installers, isBrowser: true })
  })
})

describe('detectSystem, by the User-Agent of a program,', () => {
  test.each([
    { program: 'curl', userAgent: 'curl/8.5.0', installers: none },
    { program: 'wget', userAgent: 'Wget/1.21.4', installers: none },
    { program: 'wget that tells', userAgent: 'Wget/1.14 (linux-gnu)', installers: unix },
    { program: 'Node', userAgent: 'node', installers: none },
    { program: 'undici', userAgent: 'undici', installers: none },
    { program: 'Python', userAgent: 'python-requests/2.32.3', installers: none },
    { program: 'an empty name', userAgent: '', installers: none },
    { program: 'no name', userAgent: undefined, installers: none },
    {
      program: 'Windows PowerShell, which does not tell the bits',
      userAgent:
        'Mozilla/5.0 (Windows NT; Windows NT 10.0; en-US) WindowsPowerShell/5.1.22621.2506',
      installers: windows32,
    },
    {
      program: 'PowerShell on Windows',
      userAgent:
        'Mozilla/5.0 (Windows NT 10.0; Microsoft Windows 10.0.22631; en-US) PowerShell/7.4.2',
      installers: windows32,
    },
    {
      program: 'PowerShell on Linux',
      userAgent: 'Mozilla/5.0 (Linux; Ubuntu 22.04.4 LTS; en-US) PowerShell/7.4.2',
      installers: unix,
    },
  ])('$program', ({ userAgent, installers }) => {
    expect(detectSystem({ ...noHeaders, userAgent })).toMatchObject({
      installers,
      isBrowser: false,
    })
  })
})

describe('detectSystem, by client hints,', () => {
  test.each([
    { system: 'Windows alone', platform: '"Windows"', installers: windows64 },
    { system: '64-bit Windows', platform: '"Windows"', bitness: '"64"', installers: windows64 },
    { system: '32-bit Windows', platform: '"Windows"', bitness: '"32"', installers: windows32 },
    { system: 'macOS alone', platform: '"macOS"', installers: mac },
    { system: 'macOS on Intel', platform: '"macOS"', architecture: '"x86"', installers: mac },
    { system: 'macOS on ARM', platform: '"macOS"', architecture: '"arm"', installers: macArm },
    { system: 'Linux', platform: '"Linux"', installers: unix },
    { system: 'Linux on ARM', platform: '"Linux"', architecture: '"arm"', installers: unix },
    { system: 'ChromeOS', platform: '"Chrome OS"', installers: none },
    { system: 'Android', platform: '"Android"', installers: none },
    { system: 'iOS', platform: '"iOS"', installers: none },
    { system: 'Windows without quotes', platform: 'Windows', installers: windows64 },
  ])('$system', ({ system: _, installers, ...hints }) => {
    proves('installer-by-user-agent')
    expect(detectSystem({ ...noHeaders, ...hints, userAgent: 'Mozilla/5.0' }).installers).toEqual(
      installers,
    )
  })

  test.each([
    { rule: 'has a phone run nothing', platform: '"Linux"', mobile: '?1', installers: none },
    { rule: 'goes on for ?0', platform: '"Linux"', mobile: '?0', installers: unix },
    { rule: 'believes the hint over the User-Agent', platform: '"macOS"', installers: mac },
    { rule: 'reads the User-Agent when there is no hint', installers: windows64 },
    { rule: 'reads the User-Agent when the hint is absent', platform: '', installers: windows64 },
    { rule: 'reads the User-Agent when the hint is empty', platform: '""', installers: windows64 },
    {
      rule: 'reads the User-Agent when the hint is "Unknown"',
      platform: '"Unknown"',
      installers: windows64,
    },
  ])('$rule', ({ rule: _, installers, ...hints }) => {
    const system = detectSystem({ ...noHeaders, ...hints, userAgent: chromeOnWindows })

    expect(system.installers).toEqual(installers)
  })
})

test('wantedHints are the hints that are read', () => {
  expect(wantedHints).toEqual([
    'Sec-CH-UA-Platform',
    'Sec-CH-UA-Mobile',
    'Sec-CH-UA-Arch',
    'Sec-CH-UA-Bitness',
  ])
})

test.each([
  [
    'Ubuntu',
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:140.0)',
    { architecture: 'x64', format: 'deb' },
  ],
  [
    'Fedora',
    'Mozilla/5.0 (X11; Fedora; Linux x86_64; rv:140.0)',
    { architecture: 'x64', format: 'rpm' },
  ],
  ['Linux on ARM', 'Mozilla/5.0 (X11; Linux aarch64; rv:140.0)', { architecture: 'arm64' }],
  [
    'dnf',
    'libdnf (Fedora Linux 42; workstation; Linux.aarch64)',
    { architecture: 'arm64', format: 'rpm' },
  ],
  ['Windows on ARM', 'Mozilla/5.0 (Windows NT 10.0; Win64; arm64; rv:140.0)', {}],
])('detectSystem tells the packages of %s', (_, userAgent, machine) => {
  expect(detectSystem({ ...noHeaders, userAgent }).machine).toEqual(machine)
})

test('detectSystem tells the processor of Linux by a hint of the browser', () => {
  const hinted = {
    ...noHeaders,
    userAgent: chromeOnLinux,
    platform: '"Linux"',
    architecture: '"arm"',
  }
  expect(detectSystem(hinted).machine).toEqual({ architecture: 'arm64' })
})
