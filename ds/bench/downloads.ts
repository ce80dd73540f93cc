/** A download of 100 MB against nginx, with curl for both. */
import { randomFillSync } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { output } from './child-process.ts'
import { measureMedians } from './medians.ts'
import { startNginx } from './nginx.ts'
import { describeMissing, findProgram } from './required-programs.ts'
import { installer, type Service } from './service.ts'
import { formatRatio, formatSpeed, type Line } from './table.ts'

const size = 100_000_000

/** Makes the installer; it is in the page cache from then on. */
export const makeInstaller = (packages: string) =>
  writeFile(join(packages, installer), randomFillSync(Buffer.alloc(size)))

export async function measureDownloads(
  folder: string,
  packages: string,
  service: Service,
): Promise<Line[]> {
  const what = 'download of 100 MB'
  const curl = findProgram('curl')
  if (!curl) return [{ what, figure: '-', note: describeMissing('curl') }]
  // curl reads the body in large parts; wrk reads 8 kB at a time and would be what is measured.
  const fetchWith = (url: string) => async () => {
    const format = '%{http_code} %{size_download} %{speed_download}'
    const text = await output(curl, ['-s', '-o', '/dev/null', '-w', format, url])
    const [status, received, bytesPerSecond] = text.split(' ').map(Number)
    if (status !== 200 || received !== size) throw new Error(`Cannot download ${url}: ${text}`)
    return bytesPerSecond ?? Number.NaN
  }
  const service100 = fetchWith(`${service.url}/v3/downloads/installers/unix`)
  const nginx = findProgram('nginx')
  if (!nginx) {
    const { ours } = await measureMedians({ ours: service100 }, 9)
    return [
      { what, figure: formatSpeed(ours) },
      { what: '  nginx', figure: '-', note: describeMissing('nginx'), target: '≥ 0.70' },
    ]
  }
  const url = await startNginx(nginx, folder, packages)
  const measures = { ours: service100, theirs: fetchWith(`${url}/${installer}`) }
  const { ours, theirs } = await measureMedians(measures, 15)
  return [
    { what, figure: formatSpeed(ours) },
    {
      what: '  nginx, sendfile',
      figure: formatSpeed(theirs),
      note: formatRatio(ours, theirs),
      target: '≥ 0.70',
    },
  ]
}
