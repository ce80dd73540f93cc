/** What the demonstration offers for download: a package where this build has one. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { findInstaller } from '../start/installer.ts'

test('findInstaller finds the package of this version and machine, and no other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-packages-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'cardwire_4.0.0_amd64.deb'), '')
  await writeFile(join(folder, 'cardwire_4.1.0~rc.1_arm64.deb'), '')
  const find = (version: string, platform: 'linux' | 'darwin', arch: 'x64' | 'arm64') =>
    findInstaller(folder, version, { platform, arch })

  expect(find('4.0.0', 'linux', 'x64')).toBe(join(folder, 'cardwire_4.0.0_amd64.deb'))
  expect(find('4.1.0-rc.1', 'linux', 'arm64')).toBe(join(folder, 'cardwire_4.1.0~rc.1_arm64.deb'))
  expect(find('4.0.0', 'linux', 'arm64')).toBeUndefined()
  expect(find('4.0.1', 'linux', 'x64')).toBeUndefined()
  expect(find('4.0.0', 'darwin', 'x64')).toBeUndefined()
})
