/** Shows readers of dnf other lists, in one step. */
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { listName } from './dnf-metadata.ts'
import { replaceLink, unfinished } from './replace-file.ts'
import type { Signer } from './signer.ts'

/** The folder of the lists: a link into one whose name begins with `generation`. */
export const lists = 'repodata'
export const generation = '.lists-'

/** `made`: the private folder of lists. What an earlier list names stays, for computers that have read that one. */
export function publishLists(parent: string, made: string, signer: Signer): void {
  const signature = signer.signDetached(readFileSync(join(made, listName), 'utf8'))
  writeFileSync(join(made, `${listName}.asc`), signature)
  removeOthers(parent)
  const next = mkdtempSync(join(parent, generation))
  const folder = join(next, lists)
  cpSync(made, folder, { recursive: true })
  const earlier = join(parent, lists)
  for (const name of existsSync(earlier) ? readdirSync(earlier) : []) {
    if (!existsSync(join(folder, name))) linkSync(join(earlier, name), join(folder, name))
  }
  chmodSync(next, 0o755)
  replaceLink(earlier, join(basename(next), lists))
  removeOthers(parent)
}

/** Also what an attempt has left that did not come to its end. */
function removeOthers(parent: string): void {
  const link = join(parent, lists)
  const current = existsSync(link) ? dirname(readlinkSync(link)) : undefined
  for (const name of readdirSync(parent)) {
    const isOther = name.startsWith(generation) && name !== current
    if (isOther || name.startsWith(unfinished)) rmSync(join(parent, name), { recursive: true })
  }
}
