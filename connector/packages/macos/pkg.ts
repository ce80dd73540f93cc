/** The package for macOS: one for each kind of Mac, with the connector and, where an administrator chooses it, the other driver of readers. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { toPackageVersion } from '../linux/documents.ts'
import type { Architecture, PackageFacts, PackageFile, PackageFormat } from '../package-facts.ts'
import { createBillOfMaterials } from './bill-of-materials.ts'
import { createCpio } from './cpio.ts'
import { layOut } from './layout.ts'
import { readEntries } from './payload.ts'
import { render, renderScript } from './render.ts'
import { createXar } from './xar.ts'

/** As a version's installer and as Apple's call the processor. */
const macs = {
  x64: { system: 'MACOS', apple: 'x86_64' },
  arm64: { system: 'MACOSARM', apple: 'arm64' },
} as const

export const pkg: PackageFormat = {
  tools: {},
  async build(facts) {
    const files: PackageFile[] = []
    for (const architecture of facts.architectures) files.push(await build(architecture, facts))
    return files
  },
}

async function build(architecture: Architecture, facts: PackageFacts): Promise<PackageFile> {
  const { version, writtenAt, isFast, work, out } = facts
  const file = `cardwire-${version}-${architecture}.pkg`
  const tree = join(work, `pkg-${architecture}`)
  await layOut(tree, architecture, facts)
  facts.report(`${file} …`)
  const entries = readEntries(tree)
  const bytes = entries.reduce((sum, { content }) => sum + content.length, 0)
  const values = {
    VERSION: toPackageVersion(version),
    FILES: String(entries.length),
    KILOBYTES: String(Math.ceil(bytes / 1024)),
    ARCHITECTURE: macs[architecture].apple,
  }
  const compress = (archive: Uint8Array) => gzipSync(archive, { level: isFast ? 1 : 9 })
  const pack = (texts: Readonly<Record<string, string>>) => {
    const scripts = Object.entries(texts).map(([name, text]) => ({
      path: `./${name}`,
      mode: 0o100755,
      content: Buffer.from(text),
    }))
    const folder = { path: '.', mode: 0o040755, content: new Uint8Array() }
    return compress(createCpio([folder, ...scripts], writtenAt))
  }
  const archive = createXar(
    [
      { path: 'Distribution', content: Buffer.from(render('Distribution', values)) },
      { path: 'cardwire.pkg/PackageInfo', content: Buffer.from(render('PackageInfo', values)) },
      { path: 'cardwire.pkg/Bom', content: createBillOfMaterials(entries, writtenAt) },
      { path: 'cardwire.pkg/Payload', content: compress(createCpio(entries, writtenAt)) },
      {
        path: 'cardwire.pkg/Scripts',
        content: pack({
          preinstall: renderScript('preinstall'),
          postinstall: renderScript('postinstall'),
        }),
      },
      {
        path: 'driver.pkg/PackageInfo',
        content: Buffer.from(render('PackageInfo.driver', values)),
      },
      {
        path: 'driver.pkg/Scripts',
        content: pack({ postinstall: renderScript('driver-postinstall') }),
      },
    ],
    writtenAt,
  )
  writeFileSync(join(out, file), archive)
  return { file, system: macs[architecture].system, architecture }
}
