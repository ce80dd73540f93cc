/**
 * What Windows shows of a program: icon, name, description and version. They are written into the program of Bun that the
 * compiler puts our code behind, because its own flags for them work on Windows alone.
 */
import { Data, NtExecutable, NtExecutableResource, Resource } from 'resedit'
import { createIco } from '../packages/icon/icon.ts'

/** Resource types and the identifiers of winuser.h and verrsrc.h. */
const types = { icon: 3, iconGroup: 14, version: 16 } as const
const english = { lang: 1033, codepage: 1200 } as const
/** VS_FF_PRERELEASE */
const preRelease = 2
/** VOS_NT_WINDOWS32, VFT_APP */
const application = { fileOS: 0x40004, fileType: 1 } as const

/** A copy of a program with our icon, and the texts that its properties show. Its signature, which is not ours, is left out. */
export function setWindowsResources(program: Uint8Array, version: string): Uint8Array<ArrayBuffer> {
  const executable = NtExecutable.from(program, { ignoreCert: true })
  const resources = NtExecutableResource.from(executable)
  const ours: readonly (string | number)[] = Object.values(types)
  resources.entries = resources.entries.filter(({ type }) => !ours.includes(type))
  const { icons } = Data.IconFile.from(createIco())
  Resource.IconGroupEntry.replaceIconsForResource(
    resources.entries,
    1,
    english.lang,
    icons.map(({ data }) => data),
  )
  createVersionInfo(version).outputToResourceEntries(resources.entries)
  resources.outputResource(executable)
  return new Uint8Array(executable.generate())
}

function createVersionInfo(version: string) {
  const [numbers = '', label] = version.split('-')
  const [major = 0, minor = 0, patch = 0] = numbers.split('.').map(Number)
  const [high, low] = [major * 0x10000 + minor, patch * 0x10000]
  const fixed = {
    ...application,
    fileVersionMS: high,
    fileVersionLS: low,
    productVersionMS: high,
    productVersionLS: low,
    fileFlagsMask: preRelease,
    fileFlags: label === undefined ? 0 : preRelease,
  }
  const info = Resource.VersionInfo.create(english.lang, fixed, [])
  info.setStringValues(english, {
    CompanyName: 'Cardwire',
    FileDescription: 'Cardwire: smart-card readers for web pages',
    FileVersion: version,
    InternalName: 'cardwire',
    LegalCopyright: 'The owners of Cardwire. All rights reserved.',
    OriginalFilename: 'cardwire.exe',
    ProductName: 'Cardwire',
    ProductVersion: version,
  })
  return info
}
