/** Which files and folders pages make, by their names. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { documentTypes } from './document-types.ts'
import { findNewFileFault, findNewFolderFault } from './file-names.ts'

describe('pages do not write', () => {
  test.each([
    // Programs and scripts.
    ...[
      'exe',
      'com',
      'scr',
      'pif',
      'bat',
      'cmd',
      'ps1',
      'vbs',
      'js',
      'jse',
      'wsf',
      'hta',
      'sh',
      'py',
    ],
    ...[
      'jar',
      'msi',
      'msix',
      'appx',
      'appinstaller',
      'pkg',
      'dmg',
      'deb',
      'rpm',
      'apk',
      'AppImage',
    ],
    ...['app', 'command', 'workflow', 'scpt', 'desktop', 'dll', 'so', 'dylib', 'cpl', 'ocx', 'xll'],
    // Disks and archives whose content has no mark.
    ...['iso', 'img', 'vhd', 'vhdx', 'cab', '7z', 'rar', 'tar', 'gz', 'xz', 'zst'],
    // Documents whose names say that they have macros, and what Office loads.
    ...[
      'docm',
      'dotm',
      'xlsm',
      'xlam',
      'xltm',
      'pptm',
      'ppam',
      'one',
      'onepkg',
      'iqy',
      'slk',
      'dotx',
    ],
    // What a browser runs.
    ...[
      'html',
      'htm',
      'xhtml',
      'shtml',
      'mht',
      'mhtml',
      'svg',
      'svgz',
      'xsl',
      'xslt',
      'wasm',
      'swf',
    ],
    // What reaches a server when it is shown or opened, or changes settings.
    ...[
      'lnk',
      'url',
      'webloc',
      'library-ms',
      'search-ms',
      'searchConnector-ms',
      'theme',
      'rdp',
      'scf',
    ],
    ...['inetloc', 'ini', 'conf', 'cfg', 'inf', 'reg', 'plist', 'mobileconfig', 'service', 'timer'],
    // Certificates, which a click installs.
    ...['cer', 'crt', 'der', 'p7b', 'p12', 'pfx', 'crl', 'ovpn', 'jnlp', 'application', 'chm'],
  ])('a file of type %s', (type) => {
    proves('file-executed')
    for (const name of [`a.${type}`, `a.pdf.${type}`, `a.${type.toUpperCase()}`])
      expect(findNewFileFault(name)).toBe('pages write only known types of documents')
  })

  test.each([
    ...['authorized_keys', 'Makefile', 'crontab', 'exe', 'pdf', 'a', 'pip.conf', 'desktop.ini'],
    ...['a.pdf~', 'a.pdf-', 'a.', 'a.pdf.', 'a.pdf ', '.pdf', 'a..pdf', 'a. pdf', 'a.p\u0501f'],
    ...[
      'a.\uff45\uff58\uff45',
      'a.\uff50\uff44\uff46',
      'a.mp\u00b3',
      'a.mar\u212adown',
      'a.m\u212av',
    ],
    // Settings of PowerShell among the user's documents, and of programs of .NET beside them.
    ...['powershell.config.json', 'PowerShell.Config.JSON', 'a.runtimeconfig.json'],
    ...['a.runtimeconfig.dev.json', 'a.deps.json'],
    ...['invoice\u202efdp.txt', 'zero\u200bwidth.txt', '..', 'a.txt:stream.pdf', 'con.pdf'],
  ])('a file %j', (name) => {
    proves('file-executed')
    expect(findNewFileFault(name)).toEqual(expect.any(String))
  })

  test.each([
    ...['a.{645FF040-5081-101B-9F08-00AA002F954E}', 'a. {645FF040-5081-101B-9F08-00AA002F954E}'],
    ...['a\uff0e{645FF040-5081-101B-9F08-00AA002F954E}', 'invoice\u202efdp', '.ssh', 'con'],
  ])('into a new folder %j', (name) => {
    proves('file-executed')
    expect(findNewFolderFault(name)).toEqual(expect.any(String))
  })
})

test.each([
  ...[
    'a.pdf',
    'a.PDF',
    'Rechnung M\u00e4rz 2026.pdf',
    'a.exe.pdf',
    'a.b.c.docx',
    '\u30d5\u30a1\u30a4\u30eb.txt',
  ],
  ...['a.csv', 'a.json', 'a.log', 'a.md', 'a.tsv', 'a.txt', 'a.xml', 'a.doc', 'a.docx', 'a.epub'],
  ...['a.odg', 'a.odp', 'a.ods', 'a.odt', 'a.pages', 'a.ppt', 'a.pptx', 'a.rtf', 'a.xls', 'a.xlsx'],
  ...['a.avif', 'a.bmp', 'a.dcm', 'a.gif', 'a.heic', 'a.heif', 'a.jp2', 'a.jpeg', 'a.jpg', 'a.png'],
  ...['a.tif', 'a.tiff', 'a.webp', 'a.aac', 'a.flac', 'a.m4a', 'a.mp3', 'a.oga', 'a.ogg', 'a.opus'],
  ...['a.wav', 'a.m4v', 'a.mkv', 'a.mov', 'a.mp4', 'a.webm', 'a.eml', 'a.ics', 'a.vcf', 'a.adoc'],
  ...['a.asc', 'a.asice', 'a.asics', 'a.bdoc', 'a.cades', 'a.ddoc', 'a.edoc', 'a.p7m', 'a.p7s'],
  ...[
    'a.pdf.p7m',
    'a.sce',
    'a.scs',
    'a.sig',
    'a.tsr',
    'a.xades',
    'a.bdt',
    'a.cod',
    'a.edi',
    'a.gdt',
  ],
  ...['a.hl7', 'a.ldt', 'a.sta', 'a.bin', 'a.dat', 'a.zip'],
])('pages write a file %j', (name) => {
  proves('file-types-known')
  expect(findNewFileFault(name)).toBeUndefined()
})

test.each(['2026', 'St.Gallen', 'v1.2', 'Rechnungen {alt}', 'a.b'])(
  'pages make a folder %j',
  (name) => {
    expect(findNewFolderFault(name)).toBeUndefined()
  },
)

test('the guide of the client names each type that pages write, and no other', () => {
  proves('file-types-known')
  const guide = readFileSync(join(import.meta.dirname, '../../../client/guides/files.md'), 'utf8')
  const [, list = ''] =
    /\nPages can write files with these extensions:\n\n([^\n]+(?:\n[^\n]+)*)\n/.exec(guide) ?? []
  const named = [...list.matchAll(/`([a-z0-9]+)`/g)].map(([, type]) => type)
  expect(named.toSorted()).toEqual([...documentTypes].toSorted())
})
