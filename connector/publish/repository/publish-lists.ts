/** Shows readers of dnf other lists, in one step. */
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { PublishError } from '../options.ts'
import { listName } from './dnf-metadata.ts'
import { withFolder } from './folder.ts'
import { createFile, replaceLink, unfinished } from './replace-file.ts'
import type { Signer } from './signer.ts'
import { readEarlierList } from './stored-files.ts'

/** The folder of the lists: a link into one whose name begins with `generation`. */
export const lists = 'repodata'
export const generation = '.lists-'

/** `made`: the private folder of lists. What an earlier list names stays, for computers that have read that one. */
export function publishLists(parent: string, made: string, signer: Signer): void {
  const signature = signer.signDetached(readFileSync(join(made, listName), 'utf8'))
  writeFileSync(join(made, `${listName}.asc`), signature)
  removeOthers(parent)
  const earlier = findCurrent(parent)
  const next = withFolder(parent, (here) => basename(mkdtempSync(join(here, generation))))
  withFolder(join(parent, next, lists), (here) => {
    for (const name of readdirSync(made))
      createFile(join(here, name), readFileSync(join(made, name)))
    if (earlier !== undefined) copyEarlier(join(parent, earlier, lists), here)
  })
  withFolder(join(parent, next), (here) => chmodSync(here, 0o755))
  replaceLink(join(parent, lists), join(next, lists))
  removeOthers(parent)
}

/** Copies, not links: a link would make another file of this account readable. */
function copyEarlier(earlier: string, folder: string): void {
  withFolder(earlier, (here) => {
    for (const name of readdirSync(here)) {
      const content = existsSync(join(folder, name)) ? undefined : readEarlierList(here, name)
      if (content !== undefined) createFile(join(folder, name), content)
    }
  })
}

/** The name of the folder that the lists are in now. */
function findCurrent(parent: string): string | undefined {
  const link = join(parent, lists)
  if (!existsSync(link)) return undefined
  const target = readlinkSync(link)
  const name = dirname(target)
  if (name.startsWith(generation) && !name.includes('/') && basename(target) === lists) return name
  throw new PublishError(`Cannot use "${link}": it leads to "${target}"; restore it from a backup`)
}

/** Also what an attempt has left that did not come to its end. */
function removeOthers(parent: string): void {
  const current = findCurrent(parent)
  withFolder(parent, (here) => {
    for (const name of readdirSync(here)) {
      const isOther = name.startsWith(generation) && name !== current
      if (isOther || name.startsWith(unfinished)) rmSync(join(here, name), { recursive: true })
    }
  })
}
