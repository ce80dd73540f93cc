/** The files of the connector on a Linux machine, as every package of Linux has them. */
import { chmodSync, cpSync, mkdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { FileTimes } from '../../../.ci/packaging/archives.ts'
import { copy, write } from '../../../.ci/packaging/files.ts'
import { buildAtrList } from '../../build/atr-list.ts'
import { atrListName } from '../../src/api/cards/atr-source.ts'
import { exitCodes } from '../../src/distribution/policy/enforce.ts'
import { createSystemdUnit } from '../../src/registry/service/systemd.ts'
import { findIcon, iconSizes } from '../icon/icon.ts'
import type { Architecture, PackageFacts } from '../package-facts.ts'
import { layOutDocuments } from './documents.ts'
import { machineFolder, places } from './places.ts'
import { render } from './render.ts'

/** Lays them out below `tree`; resolves with the times of those that have one of their own. */
export async function layOut(
  tree: string,
  architecture: Architecture,
  facts: PackageFacts,
): Promise<FileTimes> {
  const program = join(tree, places.program)
  copy(await facts.compileProgram(`linux-${architecture}`), program)
  chmodSync(program, 0o755)
  const common = await getCommonFiles(facts)
  cpSync(common, tree, { recursive: true, verbatimSymlinks: true })
  // Whether the system's copy of the list is newer is told by these times.
  return { [atrList]: Math.floor(statSync(join(common, atrList)).mtimeMs / 1000) }
}

const atrList = join(places.home, atrListName)

/** What does not depend on the architecture, made once for each build. */
async function getCommonFiles(facts: PackageFacts): Promise<string> {
  const tree = join(facts.work, 'linux-common')
  if (made.has(tree)) return tree
  made.add(tree)
  await buildAtrList(join(tree, places.home))
  const link = join(tree, places.link)
  mkdirSync(dirname(link), { recursive: true })
  symlinkSync(relative(dirname(places.link), places.program), link)
  const program = `/${places.program}`
  const names = { PROGRAM: program, ORDERED_ENDS: Object.values(exitCodes).join(' ') }
  write(join(tree, places.registryUnit), createSystemdUnit(program, machineFolder))
  write(join(tree, places.agentUnit), render('cardwire.service', names))
  write(join(tree, places.autostart), render('autostart.desktop', names))
  write(join(tree, places.menu), render('menu.desktop', names))
  layOutIcons(join(tree, places.icons))
  layOutDocuments(tree, facts)
  return tree
}

/** As the icon theme specification of freedesktop.org names them. */
function layOutIcons(folder: string): void {
  for (const size of iconSizes)
    write(join(folder, `${size}x${size}/apps/cardwire.png`), readFileSync(findIcon(size)))
  write(join(folder, 'scalable/apps/cardwire.svg'), readFileSync(findIcon('svg')))
}

const made = new Set<string>()
