/** The service on the pinned Node. */
import { join } from 'node:path'
import { bin, launch, type Runtime, type Settings, type Start, writeFiles } from './service.ts'

/** The line of the banner that tells where it listens. */
export const listening = /API document +(http:\S+)\/docs/

export const node: Runtime = async (start) => {
  const settings = await localSettings(start)
  const started = await launch(bin('node'), ['ds/dist/node.js'], settings, listening)
  return { ...started, addressHeader: 'x-forwarded-for' }
}

/** The settings of a service on this machine, its files written. */
export async function localSettings({ folder, settings, packages }: Start): Promise<Settings> {
  const packagesDir = join(folder, 'packages')
  await writeFiles(packagesDir, packages)
  return {
    DS_PORT: '0',
    DS_DATABASE: join(folder, 'ds.sqlite'),
    DS_PACKAGES_DIR: packagesDir,
    DS_TRUST_PROXY: '127.0.0.1',
    ...settings,
  }
}
