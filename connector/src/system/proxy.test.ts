/** What Windows and macOS print of their proxies, and what becomes of it. */
import { expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { findProxy, parseMacosProxy, parseWindowsProxy } from './proxy.ts'

/** As `reg query` prints the key. */
const registry = (values: Readonly<Record<string, string>>) =>
  [
    '',
    'HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings',
    '    CertificateRevocation    REG_DWORD    0x1',
    ...Object.entries(values).map(
      ([name, data]) =>
        `    ${name}    ${data.startsWith('0x') ? 'REG_DWORD' : 'REG_SZ'}    ${data}`,
    ),
    '',
    'HKEY_CURRENT_USER\\Software\\Microsoft\\Windows\\CurrentVersion\\Internet Settings\\Zones',
    '',
  ].join('\r\n')

const exceptions = ['*.company.example', '<local>']
const override = exceptions.join(';')

test.each([
  [
    'one for all',
    { ProxyEnable: '0x1', ProxyServer: 'proxy:8080', ProxyOverride: override },
    { http: 'proxy:8080', https: 'proxy:8080', exceptions },
  ],
  [
    'one for each scheme',
    { ProxyEnable: '0x1', ProxyServer: 'http=a:1;https=b:2;ftp=c:3' },
    { http: 'a:1', https: 'b:2', exceptions: [] },
  ],
  ['one that is switched off', { ProxyEnable: '0x0', ProxyServer: 'proxy:8080' }, undefined],
  ['none', { ProxyEnable: '0x1' }, undefined],
  ['a script alone', { ProxyEnable: '0x0', AutoConfigURL: 'http://pac' }, undefined],
])('Windows with %s', (_, values, settings) => {
  proves('machine-proxy')
  expect(parseWindowsProxy(registry(values))).toEqual(settings)
})

/** As `scutil --proxy` prints it. */
const dictionary = (lines: readonly string[]) => `<dictionary> {\n${lines.join('\n')}\n}\n`
const list = ['  ExceptionsList : <array> {', '    0 : *.local', '    1 : *.company.example', '  }']

test.each([
  [
    'both',
    [
      ...list,
      ...['  HTTPEnable : 1', '  HTTPPort : 3128', '  HTTPProxy : a', '  HTTPSEnable : 1'],
      ...['  HTTPSPort : 8443', '  HTTPSProxy : b', '  ExcludeSimpleHostnames : 1'],
    ],
    { http: 'a:3128', https: 'b:8443', exceptions: ['*.local', ...exceptions] },
  ],
  [
    'one for https',
    ['  HTTPEnable : 0', '  HTTPProxy : a', '  HTTPSEnable : 1', '  HTTPSProxy : b'],
    { https: 'b:80', exceptions: [] },
  ],
  ['none', [...list, '  FTPPassive : 1', '  HTTPEnable : 0', '  HTTPSEnable : 0'], undefined],
])('macOS with %s', (_, lines, settings) => {
  proves('machine-proxy')
  expect(parseMacosProxy(dictionary(lines))).toEqual(settings)
})

const settings = { https: 'proxy:8080', exceptions: ['*.company.example', '10.*', '<local>'] }

test.each([
  ['https://ds.example/', 'http://proxy:8080'],
  ['https://company.example.evil/', 'http://proxy:8080'],
  ['https://DS.Company.example:8443/', ''],
  ['https://intranet/', ''],
  ['https://10.1.2.3/', ''],
  ['http://ds.example/', ''],
  ['https://127.0.0.1:8080/', ''],
  ['https://[::1]:8080/', ''],
])('%s is asked by way of %j', (url, proxy) => {
  expect(findProxy(url, settings)).toBe(proxy)
  expect(findProxy(url, undefined)).toBe('')
})
