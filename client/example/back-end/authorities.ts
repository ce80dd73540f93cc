/** The authorities whose cards the application accepts: certificates in a file, PEM. */
import { readFile } from 'node:fs/promises'

export interface Authorities {
  /** The text of the file; undefined: it is not there, or nobody named one. */
  load(): Promise<string | undefined>
}

export const createAuthorities = (file: string | undefined): Authorities => ({
  async load() {
    const text = file === undefined ? '' : await readFile(file, 'utf8').catch(() => '')
    return text || undefined
  },
})
