/** The tables of the package: its files, its service, its start with each session, and the versions that it replaces. */
import { actionTables, settingProperties } from './actions.ts'
import type { Tables } from './database.ts'
import { createIdentifier, toProductVersion, upgradeCode } from './identifiers.ts'
import { names } from './places.ts'

export interface PackagedFile {
  /** Its name in the folder of the program, which is its key too. */
  readonly name: string
  readonly bytes: number
}

export interface TableFacts {
  readonly version: string
  /** In the order of the cabinet. */
  readonly files: readonly PackagedFile[]
  readonly cabinet: string
  /** The file with the actions of the installer, in the folder `Binary`. */
  readonly setup: string
  /** Seconds since 1970. */
  readonly writtenAt: number
  /** What tells this package from others, also of the same version. */
  readonly contents: string
}

// Windows Installer, "Component Table", "File Table", "ServiceControl Table", "Upgrade Table".
const is64Bit = 0x100
const isVital = 0x200
const localMachine = 2
const events = { start: 0x1, stop: 0x2, stopAtRemoval: 0x20, deleteAtRemoval: 0x80 } as const
const ownProcess = 0x10
const automatic = 2
const normalErrors = 1
const upgrade = { maxInclusive: 0x200, minExclusive: 0 } as const

export function createTables(facts: TableFacts): Tables {
  const { version, files } = facts
  const number = toProductVersion(version)
  return {
    ...actionTables,
    Property: Object.entries({
      ALLUSERS: '1',
      ARPNOMODIFY: '1',
      ARPPRODUCTICON: names.icon,
      Manufacturer: 'Cardwire',
      // What runs is ended by us: the restart manager would ask for programs without a window.
      MSIRESTARTMANAGERCONTROL: 'Disable',
      MsiHiddenProperties: ['StoreSettings', ...settingProperties.secrets].join(';'),
      ProductCode: createIdentifier(`product ${version}`),
      ProductLanguage: '1033',
      ProductName: 'Cardwire',
      ProductVersion: number,
      SecureCustomProperties: [
        ...['EARLIERVERSION', 'LATERVERSION', 'ALLOWDOWNGRADE'],
        ...settingProperties.names,
      ].join(';'),
      SecretNames: settingProperties.secrets.join(';'),
      SettingNames: settingProperties.names.join(';'),
      UpgradeCode: upgradeCode,
    }).map(([Property, Value]) => ({ Property, Value })),
    LaunchCondition: [
      {
        Condition: 'Installed OR NOT LATERVERSION OR ALLOWDOWNGRADE = "1"',
        Description: `A later version than ${number} of [ProductName] is installed. Remove it first, or set ALLOWDOWNGRADE=1 to replace it`,
      },
      { Condition: 'VersionNT64', Description: '[ProductName] needs a Windows of 64 bits' },
    ],
    Upgrade: [
      {
        UpgradeCode: upgradeCode,
        VersionMax: number,
        Attributes: upgrade.maxInclusive,
        ActionProperty: 'EARLIERVERSION',
      },
      {
        UpgradeCode: upgradeCode,
        VersionMin: number,
        // The condition above stops an installation that would replace it unasked.
        Attributes: upgrade.minExclusive,
        ActionProperty: 'LATERVERSION',
      },
    ],
    Directory: [
      { Directory: 'TARGETDIR', DefaultDir: 'SourceDir' },
      { Directory: 'ProgramFiles64Folder', Directory_Parent: 'TARGETDIR', DefaultDir: '.' },
      { Directory: 'ProgramMenuFolder', Directory_Parent: 'TARGETDIR', DefaultDir: '.' },
      {
        Directory: 'InstallFolder',
        Directory_Parent: 'ProgramFiles64Folder',
        DefaultDir: 'Cardwire',
      },
    ],
    Icon: [{ Name: names.icon, Data: names.icon }],
    Shortcut: [
      {
        Shortcut: 'Open',
        Directory_: 'ProgramMenuFolder',
        Name: 'Cardwire',
        Component_: names.shim,
        Target: `[#${names.shim}]`,
        Arguments: 'open',
        Description: 'Smart-card readers for web pages',
      },
    ],
    Feature: [{ Feature: 'Cardwire', Title: 'Cardwire', Display: 0, Level: 1, Attributes: 0 }],
    Component: files.map(({ name }) => ({
      Component: name,
      ComponentId: createIdentifier(`component ${name}`),
      Directory_: 'InstallFolder',
      Attributes: is64Bit,
      KeyPath: name,
    })),
    FeatureComponents: files.map(({ name }) => ({ Feature_: 'Cardwire', Component_: name })),
    File: files.map(({ name, bytes }, index) => ({
      File: name,
      Component_: name,
      FileName: `${createShortName(index)}|${name}`,
      FileSize: bytes,
      ...(name.endsWith('.exe') && { Version: `${number}.0`, Language: '1033' }),
      Attributes: isVital,
      Sequence: index + 1,
    })),
    Media: [{ DiskId: 1, LastSequence: files.length, Cabinet: `#${facts.cabinet}` }],
    Binary: [{ Name: 'Setup', Data: facts.setup }],
    Registry: [
      {
        Registry: 'Run',
        Root: localMachine,
        Key: names.run,
        Name: 'Cardwire',
        Value: `"[#${names.shim}]" agent`,
        Component_: names.shim,
      },
    ],
    ServiceInstall: [
      {
        ServiceInstall: 'Registry',
        Name: names.service,
        DisplayName: 'Cardwire Registry',
        ServiceType: ownProcess,
        StartType: automatic,
        ErrorControl: normalErrors,
        StartName: 'NT AUTHORITY\\LocalService',
        Arguments: 'service',
        Component_: names.shim,
        Description: 'Tells pages which connector belongs to whom',
      },
    ],
    ServiceControl: [
      {
        ServiceControl: 'Registry',
        Name: names.service,
        Event: Object.values(events).reduce((sum, event) => sum + event, 0),
        Wait: 1,
        Component_: names.shim,
      },
    ],
    _SummaryInformation: createSummary(facts),
  }
}

/** "Summary Information Stream": 64 bits, compressed, readable by Windows Installer 5. */
function createSummary({ version, writtenAt, contents }: TableFacts) {
  const time = new Date(writtenAt * 1000)
    .toISOString()
    .replaceAll('-', '/')
    .replace('T', ' ')
    .slice(0, 19)
  return Object.entries({
    2: 'Installation Database',
    3: `Cardwire ${version}`,
    4: 'Cardwire',
    7: 'x64;1033',
    9: createIdentifier(`package ${contents}`),
    12: time,
    13: time,
    14: 500,
    15: 2,
    18: 'Cardwire',
    19: 2,
  }).map(([PropertyId, Value]) => ({ PropertyId: Number(PropertyId), Value }))
}

/** A name of 8.3 for each: Windows makes its own where another has it. */
const createShortName = (index: number) => `FILE${index + 1}.BIN`
