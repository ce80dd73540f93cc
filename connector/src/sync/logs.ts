/** The logs as one text for the administrators: the newest of what is there, as much as the service takes. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

/** Bytes: what the service takes at once, and what is looked at for it; logs shrink to about a tenth. */
const most = { sent: 1024 * 1024, read: 8 * 1024 * 1024 }

/** gzip of the newest lines, those of each file behind its name. What is in the files was struck out when it was written. */
export async function collectLogs(folder: string): Promise<Uint8Array> {
  const names = (await readdir(folder)).filter((name) => /\.log(\.\d+)?$/.test(name))
  const files = await Promise.all(
    names.map(async (name) => ({ name, changedAt: (await stat(join(folder, name))).mtimeMs })),
  )
  const newestFirst = files.toSorted((one, other) => other.changedAt - one.changedAt)
  let text = ''
  for (const { name } of newestFirst) {
    if (text.length >= most.read) break
    text = `== ${name} ==\n${await readFile(join(folder, name), 'utf8')}\n${text}`
  }
  for (let part = text.slice(-most.read); ; part = part.slice(part.length / 2)) {
    const packed = await compress(part)
    if (packed.length <= most.sent) return packed
  }
}
