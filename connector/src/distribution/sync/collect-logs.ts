/** Packs the log files for an upload: the newest lines, as many as the service accepts. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

/** Bytes that the service accepts, and bytes that are read for that; logs shrink to about a tenth. */
const maxUploadBytes = 1024 * 1024
const maxReadBytes = 8 * 1024 * 1024

/** The gzip of the newest lines, below the name of each file. Secrets were removed when the lines were written. */
export async function collectLogs(folder: string): Promise<Uint8Array> {
  const names = (await readdir(folder)).filter((name) => /\.log(\.\d+)?$/.test(name))
  const files = await Promise.all(
    names.map(async (name) => ({ name, changedAt: (await stat(join(folder, name))).mtimeMs })),
  )
  const newestFirst = files.toSorted((one, other) => other.changedAt - one.changedAt)
  let text = ''
  for (const { name } of newestFirst) {
    if (text.length >= maxReadBytes) break
    text = `== ${name} ==\n${await readFile(join(folder, name), 'utf8')}\n${text}`
  }
  for (let part = text.slice(-maxReadBytes); ; part = part.slice(part.length / 2)) {
    const packed = await compress(part)
    if (packed.length <= maxUploadBytes) return packed
  }
}
