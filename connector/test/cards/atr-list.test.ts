/** The list of known cards as it is built, compared with ATR_analysis of pcsc-tools. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { proves } from '../../../test/bed/proves.ts'
import { buildAtrList } from '../../build/atr-list.ts'
import { parseAtrList } from '../../src/api/cards/atr-list.ts'
import { openCards } from '../../src/api/cards/open-cards.ts'

let folder = ''
let dist = ''
let text = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-atr-'))
  dist = join(folder, 'dist')
  await buildAtrList(dist)
  text = await readFile(join(dist, 'smartcard_list.txt'), 'utf8')
  // ATR_analysis fetches the list anew when its own is older than ten hours: this one is written now.
  await mkdir(join(folder, 'cache'))
  await writeFile(join(folder, 'cache', 'smartcard_list.txt'), text)
})
afterAll(() => rm(folder, { recursive: true }))

/** What ATR_analysis of pcsc-tools says of an ATR, by the same list. */
function analysed(atr: string): readonly string[] {
  const output = execFileSync('ATR_analysis', [atr.replaceAll(/../g, '$& ').trim()], {
    env: { PATH: process.env['PATH'], HOME: folder, XDG_CACHE_HOME: join(folder, 'cache') },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [, matches = ''] = output.split('Possibly identified card')
  return stripVTControlCharacters(matches)
    .split('\n')
    .filter((line) => line.startsWith('\t') && line.trim() !== 'NONE')
    .map((line) => line.trim().replaceAll(/\s+/g, ' '))
}

describe('the list of pcsc-tools', () => {
  test('is read whole, more than 3,000 kinds of cards', () => {
    proves('card-type-by-atr')
    const list = parseAtrList(text)

    expect(list.size).toBeGreaterThan(3000)
    // Two descriptions stand behind an empty line, where they are nobody's.
    expect(list.skipped).toBe(2)
  })

  test.each([
    ['a Belgian identity card', '3B9813400AA503010101AD1311'],
    ['a card known by patterns alone', '3BFD1300008131204380318065B0831112AC8300900011'],
    ['a contactless card', '3B8F8001804F0CA000000306030001000000006A'],
    ['a card that matches a repetition', '3BEF00FF8131424545010238'],
    ['a passport', '3B8980014D525441446576696365'],
    ['a card nobody knows', '3B0000000000000000000000'],
    ['the card of vicc', '3B951381018073FF01000B'],
  ])('says of %s what ATR_analysis says', (_, atr) => {
    const descriptions = parseAtrList(text).describe(atr)

    expect(descriptions.toSorted()).toEqual([...new Set(analysed(atr))].toSorted())
  })

  test('answers for every entry that is no pattern', () => {
    proves('card-type-by-atr')
    const list = parseAtrList(text)
    const atrs = text.split('\n').filter((line) => /^[0-9A-F]{2}( [0-9A-F]{2})*$/.test(line))

    const unanswered = atrs.filter((atr) => list.describe(atr).length === 0)

    expect(atrs.length).toBeGreaterThan(3000)
    expect(unanswered).toEqual([])
  })

  test('is used by a connector that lies beside it', async () => {
    const cards = openCards({ binaryFolder: dist, home: folder, environment: {} })

    expect(await cards.loaded).toMatchObject({ path: join(dist, 'smartcard_list.txt') })
    expect(cards.describe('3B9813400AA503010101AD1311').join()).toContain('Belgium')
  })
})

describe('buildAtrList', () => {
  test('writes the list with the time of its release, and the licence it is under', async () => {
    const installed = await stat('/usr/share/pcsc/smartcard_list.txt')

    expect((await stat(join(dist, 'smartcard_list.txt'))).mtimeMs).toBe(installed.mtimeMs)
    const licence = await readFile(join(dist, 'smartcard_list.LICENSE.txt'), 'utf8')
    expect(licence).toContain('Ludovic Rousseau')
    expect(licence).toMatch(/GNU GENERAL PUBLIC LICENSE\s+Version 2, June 1991/)
  })

  test('downloads the package where it is not installed', async () => {
    const root = await bareRoot('bare')
    const target = join(folder, 'downloaded')

    await buildAtrList(target, { root })

    expect(await readFile(join(target, 'smartcard_list.txt'), 'utf8')).toBe(text)
    expect((await readdir(target)).toSorted()).toEqual([
      'smartcard_list.LICENSE.txt',
      'smartcard_list.txt',
    ])
  })

  test('refuses a list of other content', async () => {
    const root = await bareRoot('tampered')
    await mkdir(join(root, 'usr/share/pcsc'), { recursive: true })
    await writeFile(join(root, 'usr/share/pcsc/smartcard_list.txt'), '3B 00\n\tForged\n')
    const sha256 = createHash('sha256').update('another').digest('hex')

    await expect(buildAtrList(join(folder, 'refused'), { root, sha256 })).rejects.toThrow(
      `expected ${sha256}`,
    )
  })

  test('names the remedy when the package cannot be downloaded', async () => {
    const aptGet = join(folder, 'apt-get')
    await writeFile(aptGet, '#!/bin/sh\necho "E: Unable to locate package" >&2\nexit 100\n')
    await chmod(aptGet, 0o755)
    const root = await bareRoot('offline')

    await expect(buildAtrList(join(folder, 'none'), { root, aptGet })).rejects.toThrow(
      'run "apt-get update"',
    )
    await expect(
      buildAtrList(join(folder, 'none'), { root, aptGet: join(folder, 'absent') }),
    ).rejects.toThrow('Cannot get smartcard_list.txt')
  })

  /** A system without the package. */
  async function bareRoot(name: string): Promise<string> {
    const root = join(folder, name)
    const licences = join(root, 'usr/share/common-licenses')
    await mkdir(licences, { recursive: true })
    await writeFile(
      join(licences, 'GPL-2'),
      await readFile('/usr/share/common-licenses/GPL-2', 'utf8'),
    )
    return root
  }
})
