/** As many readers as pcsc-lite can hold, with names as long as it lets them be. */
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const driver = '/usr/lib/pcsc/drivers/serial/libifdvpcd.so'
/** The first of the ports that the drivers listen on, two each; below the ports that systems hand out. */
const firstPort = 25_870
/** pcsc-lite holds names of 127 bytes and adds ` 00 00`, device and slot, itself. */
const longestName = 121

export interface ManyReaders {
  /** For `pcscd --config`. */
  readonly config: string
  readonly names: readonly string[]
  /** Where a card for the last of them is put in. */
  readonly lastPort: number
  remove(): Promise<void>
}

/** Eight copies of vpcd's driver: it keeps its two slots in variables of the library, so that one cannot serve more. */
export async function sixteenReaders(): Promise<ManyReaders> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-readers-'))
  const names: string[] = []
  const entries: string[] = []
  for (let device = 0; device < 8; device += 1) {
    const library = join(folder, `driver-${device}.so`)
    await copyFile(driver, library)
    const start = `Größer ${device} `
    const name = start + 'ß'.repeat(Math.floor((longestName - Buffer.byteLength(start)) / 2))
    const port = (firstPort + 2 * device).toString(16)
    entries.push(
      `FRIENDLYNAME "${name}"\nDEVICENAME /dev/null:0x${port}\nLIBPATH ${library}\nCHANNELID 0x${port}\n`,
    )
    names.push(`${name} 00 00`, `${name} 00 01`)
  }
  const config = join(folder, 'reader.conf')
  await writeFile(config, entries.join('\n'))
  return {
    config,
    names,
    lastPort: firstPort + 15,
    remove: () => rm(folder, { recursive: true }),
  }
}
