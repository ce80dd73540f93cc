/** Files of an archive, written and copied with the folders above them. */
import { chmodSync, cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export function write(path: string, text: string | Uint8Array, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  chmodSync(path, mode)
}

export function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true })
}
