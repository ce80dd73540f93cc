/** Where the files of the connector are on a Mac, and what its parts are called there. */
import { launchdAccount, launchdLabel } from '../../src/registry/service/launchd.ts'
import { getMachineFolders } from '../../src/system/folders.ts'

const home = 'Library/Cardwire'
const agent = 'cardwire.connector'

/** Paths without the first slash: a package is laid out below another folder. */
export const places = {
  home,
  program: `${home}/cardwire`,
  start: `${home}/start`,
  uninstall: `${home}/uninstall`,
  agent: `Library/LaunchAgents/${agent}.plist`,
  /** Copied by the installer: in the payload, the folder of applications would get another owner and mode. */
  application: `${home}/Cardwire.app`,
  registry: `Library/LaunchDaemons/${launchdLabel}.plist`,
} as const

/** The folder of the registry of the machine. */
export const machineFolder = getMachineFolders('darwin', {}).base

/** What the texts of the package name. */
export const names = {
  PACKAGE: 'cardwire',
  HOME: `/${home}`,
  PROGRAM: `/${places.program}`,
  /** Made by a script: with it in the payload, the installer would take the folder from a user who owns it. */
  LINK: '/usr/local/bin/cardwire',
  START: `/${places.start}`,
  AGENT: agent,
  APPLICATION_COPY: '/Applications/Cardwire.app',
  APPLICATION_BUNDLE: `/${places.application}`,
  APPLICATION: 'cardwire.application',
  REGISTRY: launchdLabel,
  ACCOUNT: launchdAccount,
  STATE: machineFolder,
} as const
