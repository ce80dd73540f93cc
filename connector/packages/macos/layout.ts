/** The files of the connector on a Mac. */
import { join } from 'node:path'
import { normalize } from '../../../.ci/packaging/archives.ts'
import { copy, write } from '../../../.ci/packaging/files.ts'
import { buildAtrList } from '../../build/atr-list.ts'
import { createLaunchdPlist } from '../../src/registry/service/launchd.ts'
import { createIcns } from '../icon/icon.ts'
import { toPackageVersion } from '../linux/documents.ts'
import type { Architecture, PackageFacts } from '../package-facts.ts'
import { machineFolder, names, places } from './places.ts'
import { render, renderScript } from './render.ts'

/** Lays them out below `tree`. */
export async function layOut(
  tree: string,
  architecture: Architecture,
  facts: PackageFacts,
): Promise<void> {
  copy(await facts.compileProgram(`darwin-${architecture}`), join(tree, places.program))
  await buildAtrList(join(tree, places.home))
  write(join(tree, places.start), render('start'), 0o755)
  write(join(tree, places.uninstall), renderScript('uninstall'), 0o755)
  layOutApplication(join(tree, places.application), facts)
  write(join(tree, places.agent), render('cardwire.connector.plist'))
  write(join(tree, places.registry), createLaunchdPlist(names.START, machineFolder))
  normalize(tree, facts.writtenAt)
}

/** What users find in the folder of applications: it runs `cardwire open`. */
function layOutApplication(bundle: string, { version }: PackageFacts): void {
  const contents = join(bundle, 'Contents')
  const facts = { VERSION: toPackageVersion(version) }
  write(join(contents, 'Info.plist'), render('application.plist', facts))
  write(join(contents, 'MacOS/Cardwire'), render('application'), 0o755)
  write(join(contents, 'Resources/Cardwire.icns'), createIcns())
}
