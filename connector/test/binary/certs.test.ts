/** `cardwire certs` of the compiled binary, on the real NSS databases of a home, and what its exit status says. */

import { spawnSync } from 'node:child_process'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { createHome, homePaths, runCommand, startConnector } from '../../../test/bed/connector.ts'
import { proves } from '../../../test/bed/proves.ts'

let home: string
let folder: string
beforeEach(async (context) => {
  home = await createHome()
  folder = homePaths(home).certificates
  context.onTestFinished(() => rm(home, { recursive: true, force: true }))
})

const certs = (...args: string[]) => runCommand(home, ['certs', ...args])
const leaf = () => readFile(join(folder, 'localhost.pem'), 'utf8')
const root = () => readFile(join(folder, 'rootCA.pem'), 'utf8')

/** The next command is the first. */
const forgetCertificates = () => rm(join(home, '.local'), { recursive: true })

/** What the databases of this home list, by the program of the system. */
const believed = () =>
  ['.local/share/pki/nssdb', '.pki/nssdb'].map((path) =>
    spawnSync('certutil', ['-L', '-d', `sql:${join(home, path)}`], {
      encoding: 'utf8',
    }).stdout.match(/Cardwire \w+ +C,,/g),
  )

/** A Firefox profile whose database nothing can be put into. */
async function brokenProfile(): Promise<string> {
  const profile = join(home, '.mozilla/firefox/broken.default')
  await mkdir(profile, { recursive: true })
  await writeFile(join(profile, 'cert9.db'), 'this is no database')
  return profile
}

describe('install', () => {
  test('makes the files, has every store of the user trust the root, and ends with 0', async () => {
    await forgetCertificates()
    const { status, out } = certs('install')
    expect([status, out]).toEqual([0, expect.stringMatching(/✓ nss:.*\n✓ nss:/)])
    expect(believed()).toEqual([[expect.any(String)], [expect.any(String)]])
    expect(certs('status')).toMatchObject({
      status: 0,
      out: expect.stringMatching(
        /✓ root certificate: valid until.*\n✓ localhost certificate: valid until/,
      ),
    })
    expect(certs('status', 'localhost')).toMatchObject({
      status: 0,
      out: '✓ localhost opens without a warning\n',
    })
  })

  test('that one store refuses names it and the reason, goes on with the others, and ends with 1', async () => {
    proves('certs-install-partial')
    await brokenProfile()
    const { status, out, err } = certs('install')
    expect(status).toBe(1)
    expect(out).toMatch(/✗ nss:\.mozilla\/firefox\/broken\.default cannot be read: certutil/)
    expect(err).toContain('Not every store trusts the root certificate. The reasons are above.')
    expect(believed()).toEqual([[expect.any(String)], [expect.any(String)]])
  })

  test('that cannot make the files says why in a sentence, and ends with 1', async () => {
    await forgetCertificates()
    await writeFile(join(home, '.local'), '')
    const { status, err } = certs('install')
    expect(status).toBe(1)
    expect(err).toContain('a part of the path is not a folder')
    expect(err).not.toMatch(/\n +at /)
  })
})

describe('status', () => {
  test('of a name that the localhost certificate does not cover gives the reasons, and ends with 1', () => {
    certs('install')
    const { status, out } = certs('status', 'reader.example.org')
    expect([status, out]).toEqual([
      1,
      expect.stringContaining('the localhost certificate does not cover reader.example.org'),
    ])
  })

  test('of a leaf that was damaged reports it, and ends with 1', async () => {
    proves('certs-commands')
    certs('install')
    await writeFile(join(folder, 'localhost.pem'), 'half of it')
    expect(certs('status')).toMatchObject({
      status: 1,
      out: expect.stringContaining('localhost certificate: needs to be renewed'),
    })
  })
})

describe('renew', () => {
  test('makes another leaf below the same root, and ends with 0', async () => {
    certs('install')
    const [oldLeaf, oldRoot] = [await leaf(), await root()]
    expect(certs('renew')).toMatchObject({ status: 0, out: '✓ certificates renewed\n' })
    expect(await leaf()).not.toBe(oldLeaf)
    expect(await root()).toBe(oldRoot)
  })

  test('with --root makes both, warns, and the stores trust the new one instead', async () => {
    certs('install')
    const before = [await root(), ...believed().flat()]
    const { status, out } = certs('renew', '--root')
    expect([status, out]).toEqual([0, expect.stringContaining('The root certificate is new')])
    expect(await root()).not.toBe(before[0])
    expect(believed()).toEqual([[expect.any(String)], [expect.any(String)]])
    expect(believed().flat()).not.toContain(before[1])
  })

  test('below a foreign root answers its reason, changes nothing, and ends with 1', async () => {
    proves('certs-commands')
    certs('install')
    const foreign = await leaf()
    await writeFile(join(folder, 'rootCA.pem'), foreign)
    const { status, out } = certs('renew')
    expect([status, out]).toEqual([
      1,
      expect.stringContaining('nothing was renewed: Cannot use the root'),
    ])
    expect([await root(), await leaf()]).toEqual([foreign, foreign])
  })
})

describe('hosts', () => {
  test('within the constraints are in the leaf, and it ends with 0', () => {
    certs('install')
    expect(certs('hosts', 'reader.localhost')).toMatchObject({
      status: 0,
      out: expect.stringContaining(
        'the certificate is for localhost, 127.0.0.1, ::1, reader.localhost',
      ),
    })
    expect(certs('status', 'reader.localhost').status).toBe(0)
  })

  test('outside them are reported to need a new root, and the new root includes them', () => {
    proves('certs-commands')
    certs('install')
    expect(certs('hosts', 'reader.example.org').out).toContain('Run cardwire certs renew --root')
    expect(certs('status').out).toContain('cardwire certs renew --root: reader.example.org')
    expect(certs('renew', '--root').status).toBe(0)
    expect(certs('status').out).toContain('localhost, 127.0.0.1, ::1, reader.example.org')
  })
})

describe('untrust', () => {
  test('takes the trust, keeps the files, and ends with 0; install brings it back', async () => {
    certs('install')
    const before = [await root(), await leaf()]
    expect(certs('untrust')).toMatchObject({ status: 0, out: expect.stringContaining('✓ nss:') })
    expect(believed()).toEqual([null, null])
    expect([await root(), await leaf()]).toEqual(before)
    certs('install')
    expect(await root()).toBe(before[0])
    expect(believed()).toEqual([[expect.any(String)], [expect.any(String)]])
  })

  test('while another package uses the root keeps it trusted, says who, and ends with 1', async () => {
    certs('install')
    await writeFile(join(folder, 'packages.json'), '["cardwire", "other"]')
    expect(certs('untrust')).toMatchObject({
      status: 1,
      out: expect.stringContaining('other also uses it'),
    })
    expect(believed()).toEqual([[expect.any(String)], [expect.any(String)]])
  })
})

describe('uninstall', () => {
  test('takes the trust, then the files, and ends with 0', async () => {
    proves('certs-commands')
    certs('install')
    expect(certs('uninstall')).toMatchObject({
      status: 0,
      out: expect.stringContaining('✓ certificates removed'),
    })
    expect(await readdir(folder)).toEqual([])
    expect(believed()).toEqual([null, null])
  })

  test('while another package uses the folder keeps all of it, says who, and ends with 1', async () => {
    certs('install')
    await writeFile(join(folder, 'packages.json'), '["cardwire", "other"]')
    expect(certs('uninstall')).toMatchObject({
      status: 1,
      out: expect.stringContaining('used by other'),
    })
    expect(await readdir(folder)).toContain('rootCA-key.pem')
    expect(believed()).toEqual([[expect.any(String)], [expect.any(String)]])
  })
})

describe('a root that the connector finds', () => {
  test('that is half written is replaced as the connector starts', async () => {
    proves('damaged-certificate-files')
    certs('install')
    await writeFile(join(folder, 'rootCA.pem'), (await root()).slice(0, 500))
    const connector = await startConnector({}, home)
    expect((await connector.request('/v3/version')).status).toBe(200)
    expect(connector.output()).toContain('the root certificate is replaced')
    await connector.stop()
  })

  test('that is foreign ends the start with 1, names the remedy, and is left unchanged', async () => {
    proves('damaged-certificate-files')
    certs('install')
    const foreign = await leaf()
    await writeFile(join(folder, 'rootCA.pem'), foreign)
    const { status, err } = runCommand(home, ['run', '--api-ports', '25200-25999'])
    expect([status, err]).toEqual([
      1,
      expect.stringContaining('move it to another folder, or renew the root certificate'),
    ])
    expect(await root()).toBe(foreign)
  })
})
