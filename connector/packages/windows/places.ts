/** The names by which Windows knows the connector. */
import { exitCodes } from '../../src/distribution/policy/enforce.ts'
import { memoryMax } from '../../src/registry/service/limits.ts'

export const names = {
  service: 'CardwireRegistry',
  program: 'cardwire.exe',
  shim: 'cardwire-service.exe',
  icon: 'cardwire.ico',
  licences: 'third-party-licences.txt',
  task: 'Cardwire Trust',
  taskFile: 'trust-task.xml',
  settingsKey: 'SOFTWARE\\Cardwire',
  run: 'Software\\Microsoft\\Windows\\CurrentVersion\\Run',
} as const

/** After these the connector is not started again. */
export const finalExitCodes = Object.values(exitCodes)

/** Bytes of memory for the registry of the machine and its processes, as its unit of Linux has them. */
export const registryMemory = Number.parseInt(memoryMax, 10) * 2 ** 30
