/** An update on the local page, with a real service: what it offers is downloaded, checked, and given to the system's installer. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import {
  type DistributionService,
  startDistributionService,
} from '../../../../test/bed/distribution-service.ts'
import { proves } from '../../../../test/bed/proves.ts'
import { version } from '../managed.ts'
import { createUser, findAccessibilityFaults, openInChromium } from './user.ts'

const newer = '4.1.0'

let folder: string
let service: DistributionService
let installationKey: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cardwire-update-'))
  service = await startDistributionService()
  installationKey = (await service.registerVersion(version)).installationApiKey
  await service.putPackage('cardwire.deb', await createPackage())
})
afterAll(async () => {
  await service?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function createPackage(): Promise<Buffer> {
  const control = join(folder, 'package/DEBIAN')
  await mkdir(control, { recursive: true })
  await writeFile(
    join(control, 'control'),
    `Package: cardwire\nVersion: ${newer}\nArchitecture: all\nMaintainer: Nobody <nobody@example.com>\nDescription: none\n`,
  )
  execFileSync('dpkg-deb', ['--build', join(folder, 'package'), join(folder, 'cardwire.deb')])
  return readFile(join(folder, 'cardwire.deb'))
}

/** What installs packages here: notes what it is given, and ends with this status. */
async function useInstaller(status: number, script = ':'): Promise<string> {
  const programs = join(folder, 'programs')
  await mkdir(programs, { recursive: true })
  const path = join(programs, 'apt-get')
  await writeFile(
    path,
    `#!/bin/sh\necho "$@" > ${folder}/install-calls\n${script}\nexit ${status}\n`,
  )
  await chmod(path, 0o755)
  return `${programs}:${process.env['PATH']}`
}

test.each([
  ['done', 0, 'The installation is complete', 'Version 4.1.0 is installed.'],
  ['refused', 1, 'Nothing was installed.', 'The installer failed with status 1.'],
])(
  'an offered version is installed by a button, and the page says when it is %s',
  async (_, status, message, output) => {
    proves('open-updates')
    await service.registerVersion(newer, {
      uris: [{ os: 'UNIX', uri: 'file:///cardwire.deb' }],
      recommended: true,
    })
    const user = await createUser({
      CARDWIRE_DS_URL: service.url,
      CARDWIRE_INSTALLATION_KEY: installationKey,
      PATH: await useInstaller(status),
    })
    onTestFinished(() => user.close())
    const { page, close } = await openInChromium((await user.open()).address)
    onTestFinished(close)
    await page.getByText('Your organization recommends a different version.').waitFor()
    expect(await findAccessibilityFaults(page)).toEqual([])
    await page.getByRole('button', { name: `Install version ${newer}` }).click()
    await page.locator('#version').getByText(message).waitFor()
    expect(await page.locator('#version pre').textContent()).toContain(output)
    expect(await readFile(join(folder, 'install-calls'), 'utf8')).toMatch(
      /cardwire-installer\.deb\n$/,
    )
  },
)

test('an installer that ends the command goes on, with what it writes', async () => {
  await service.registerVersion(newer, {
    uris: [{ os: 'UNIX', uri: 'file:///cardwire.deb' }],
    recommended: true,
  })
  const [pid, wentOn] = [join(folder, 'pid'), join(folder, 'went-on')]
  const script = `kill -9 $(cat ${pid})\nwhile kill -0 $(cat ${pid}); do :; done\necho one\necho two >&2\n: >${wentOn}`
  const user = await createUser({
    CARDWIRE_DS_URL: service.url,
    CARDWIRE_INSTALLATION_KEY: installationKey,
    PATH: await useInstaller(0, script),
  })
  onTestFinished(() => user.close())
  const { address, program } = await user.open()
  await writeFile(pid, String(program.child.pid))
  const { page, close } = await openInChromium(address)
  onTestFinished(close)
  await page.getByRole('button', { name: `Install version ${newer}` }).click()
  await page.getByRole('heading', { name: /Cardwire is being updated/ }).waitFor()
  await expect.poll(() => existsSync(wentOn)).toBe(true)
})
