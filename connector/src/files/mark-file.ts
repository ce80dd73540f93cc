/** Marks a file as one of a site, as browsers mark downloads: what opens it later trusts it less. */
import { openSetAttribute, openWriteStream } from './native.ts'

export interface MarkedFile {
  /** Of the file, open for writing. */
  readonly descriptor: number
  /** Its absolute path, which Windows needs. */
  readonly path: string
}

/** `origin`: of the page that wrote the file. False: the disk keeps no such mark. */
export type MarkFile = (file: MarkedFile, origin: string) => boolean

/** The systems' calls for a mark; `value` in UTF-8. */
export interface MarkCalls {
  readonly setAttribute: (descriptor: number, name: string, value: string) => boolean
  /** Of NTFS; `path` has the name of the stream. */
  readonly writeStream: (path: string, value: string) => boolean
}

/** `platform` as Node spells it. */
export function createMarkFile(
  platform: string,
  calls: MarkCalls = openMarkCalls(platform),
  clock: () => number = Date.now,
): MarkFile {
  switch (platform) {
    case 'win32':
      // Zone 3 is the internet (learn.microsoft.com/openspecs/windows_protocols/ms-fscc/6e3f7352-d11c-4d76-8c39-2516a9df36e8).
      return ({ path }, origin) =>
        calls.writeStream(
          `${path}:Zone.Identifier`,
          `[ZoneTransfer]\r\nZoneId=3\r\nHostUrl=${origin}/\r\n`,
        )
    case 'darwin':
      // Flags of a download, seconds in hexadecimal, and who downloaded it: as browsers write it, without an entry of LaunchServices' database.
      return ({ descriptor }) => {
        const seconds = Math.floor(clock() / 1000).toString(16)
        return calls.setAttribute(descriptor, 'com.apple.quarantine', `0081;${seconds};Cardwire;`)
      }
    default:
      // freedesktop.org/wiki/CommonExtendedAttributes
      return ({ descriptor }, origin) =>
        calls.setAttribute(descriptor, 'user.xdg.origin.url', `${origin}/`)
  }
}

const openMarkCalls = (platform: string): MarkCalls => ({
  setAttribute: platform === 'win32' ? () => false : openSetAttribute(platform),
  writeStream: platform === 'win32' ? openWriteStream() : () => false,
})
