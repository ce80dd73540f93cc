/** A bar for the terminal. */

const width = 24

/** How far a download is, in one line; `all` is undefined where nobody knows. Bytes. */
export function barOf(bytes: number, all: number | undefined): string {
  if (all === undefined || all === 0) return `${megabytes(bytes)} MB`
  const part = Math.min(bytes / all, 1)
  const full = Math.round(part * width)
  const bar = `${'█'.repeat(full)}${'░'.repeat(width - full)}`
  return `${bar} ${String(Math.floor(part * 100)).padStart(3)} %  ${megabytes(bytes)} of ${megabytes(all)} MB`
}

export const megabytes = (bytes: number) => (bytes / 1024 ** 2).toFixed(1)
