/** What the installer does, in which order: its standard actions, and ours between them. */
import { describeSettings } from '../../src/settings.ts'
import type { Tables } from './database.ts'
import { names } from './places.ts'

// Windows Installer, "Custom Action Types" and "Custom Action In-Script Execution Options".
// Not those of programs: they show a console, and a repair, which everybody may start, would show it with the rights of the system.
const types = { library: 1, setProperty: 51 } as const
const options = {
  rollback: 0x100,
  /** Not now, but when the changes are made; by the system, not by who installs. */
  deferred: 0x400 + 0x800,
  hideData: 0x2000,
} as const

const removing = 'REMOVE="ALL" AND NOT UPGRADINGPRODUCTCODE'
const installing = 'NOT REMOVE="ALL"'
// Windows lets everybody repair, with properties, and asks no administrator: only an installation or upgrade takes settings and
// runs programs.
const installingAnew = `${installing} AND NOT Installed`

interface Action {
  readonly type: number
  readonly source: string
  readonly target: string
  readonly at: number
  readonly condition?: string
  /** What a deferred action gets: it reads no properties. */
  readonly data?: string
}

const call = (target: string, at: number, rest: Partial<Action> = {}): Action => ({
  type: types.library + options.deferred,
  source: 'Setup',
  target,
  at,
  ...rest,
})

/** Our program, without a window. */
const runProgram = (parameters: string, at: number, condition: string): Action =>
  call('RunHidden', at, { condition, data: `"[InstallFolder]${names.program}" ${parameters}` })

/** The one of Windows for tasks. */
const schedule = (parameters: string, at: number, condition: string): Action =>
  call('RunHidden', at, {
    condition,
    data: `"[System64Folder]schtasks.exe" ${parameters} /f /tn "${names.task}"`,
  })

const actions: Readonly<Record<string, Action>> = {
  // Otherwise the files of a later version, which is removed afterwards, count as newer, and are not written.
  OverwriteLater: {
    type: types.setProperty,
    source: 'REINSTALLMODE',
    target: 'amus',
    at: 101,
    condition: 'LATERVERSION',
  },
  CollectSettings: call('CollectSettings', 1450, { type: types.library, condition: installing }),
  // Rolled back last: by then the files of the version before are back.
  RestartAgents: call('StartAgents', 1502, {
    type: types.library + options.deferred + options.rollback,
    data: '[InstallFolder]',
  }),
  Untrust: runProgram('registry untrust', 1950, removing),
  UntrustUsers: runProgram('registry untrust --people', 1951, removing),
  UnscheduleTrust: schedule('/delete', 1952, removing),
  EndProcesses: call('EndProcesses', 1960, { data: '[InstallFolder]' }),
  PrepareFolder: call('PrepareFolder', 3990, {
    condition: installing,
    data: '[CommonAppDataFolder]',
  }),
  // Of the copy that Windows keeps: a user could change the file that was downloaded.
  StoreValues: runProgram('install-values "[DATABASE]"', 4890, installingAnew),
  StoreSettings: call('StoreSettings', 4900, {
    type: types.library + options.deferred + options.hideData,
    condition: installingAnew,
  }),
  ForgetSettings: call('ForgetSettings', 4901, { type: types.library, condition: installing }),
  ConfigureRegistry: call('ConfigureRegistry', 5810, {
    condition: installing,
    data: '[REGISTRYDISABLED]',
  }),
  Trust: runProgram('registry trust', 5950, `${installingAnew} AND NOT REGISTRYDISABLED`),
  StartAgents: call('StartAgents', 6580, { condition: installing, data: '[InstallFolder]' }),
  TrustUsers: runProgram('registry trust --people', 6585, installingAnew),
  // For users who log in later: they may not change the store of the machine.
  ScheduleTrust: schedule(`/create /xml "[InstallFolder]${names.taskFile}"`, 6587, installingAnew),
  RemoveState: call('RemoveState', 6590, { condition: removing, data: '[CommonAppDataFolder]' }),
}

/** The standard ones with their usual numbers, but for RemoveExistingProducts: what runs is ended before files are written. */
const standard: Readonly<Record<string, number>> = {
  FindRelatedProducts: 25,
  LaunchConditions: 100,
  ValidateProductID: 700,
  CostInitialize: 800,
  FileCost: 900,
  CostFinalize: 1000,
  MigrateFeatureStates: 1200,
  InstallValidate: 1400,
  InstallInitialize: 1500,
  // Within the transaction: a failure brings the version before back.
  RemoveExistingProducts: 1501,
  ProcessComponents: 1600,
  UnpublishFeatures: 1800,
  StopServices: 1900,
  DeleteServices: 2000,
  RemoveRegistryValues: 2600,
  RemoveShortcuts: 3200,
  RemoveFiles: 3500,
  InstallFiles: 4000,
  CreateShortcuts: 4500,
  WriteRegistryValues: 5000,
  InstallServices: 5800,
  StartServices: 5900,
  RegisterUser: 6000,
  RegisterProduct: 6100,
  PublishFeatures: 6300,
  PublishProduct: 6400,
  InstallFinalize: 6600,
}

const uiActions: Readonly<Record<string, number>> = {
  FindRelatedProducts: 25,
  LaunchConditions: 100,
  ValidateProductID: 700,
  CostInitialize: 800,
  FileCost: 900,
  CostFinalize: 1000,
  MigrateFeatureStates: 1200,
  ExecuteAction: 1300,
}

const toRows = (sequence: Readonly<Record<string, number>>) =>
  Object.entries(sequence).map(([Action, Sequence]) => ({
    Action,
    Sequence,
    ...(Action === 'StartServices' && { Condition: 'NOT REGISTRYDISABLED' }),
  }))

const own = Object.entries(actions)
const withData = own.flatMap(([name, { data, at }]) => (data ? [{ name, data, at }] : []))

export const actionTables = {
  CustomAction: [
    ...own.map(([Action, { type, source, target }]) => ({
      Action,
      Type: type,
      Source: source,
      Target: target,
    })),
    ...withData.map(({ name, data }) => ({
      Action: `Set${name}`,
      Type: types.setProperty,
      Source: name,
      Target: data,
    })),
  ],
  InstallExecuteSequence: [
    ...toRows(standard),
    ...own.map(([Action, { at, condition }]) => ({
      Action,
      Sequence: at,
      ...(condition && { Condition: condition }),
    })),
    // After the folders are known.
    ...withData.map(({ name }, index) => ({ Action: `Set${name}`, Sequence: 1460 + index })),
  ],
  InstallUISequence: toRows(uiActions),
} satisfies Tables

/** The folder of the registry is the one that the package makes. */
const settings = describeSettings().filter(({ name }) => name !== 'CARDWIRE_MACHINE_DIR')

/** A setting is a property of the same name; those that are secret no log shows. */
export const settingProperties = {
  names: settings.map(({ name }) => name),
  secrets: settings.filter(({ isSecret }) => isSecret).map(({ name }) => name),
} as const
