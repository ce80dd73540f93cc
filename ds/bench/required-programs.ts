/** The system programs that a measurement needs, and the Debian packages with them. */
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const packages = { curl: 'curl', nginx: 'nginx-light', wrk: 'wrk' } as const

export type RequiredProgram = keyof typeof packages

/** Where a tool is; undefined when it is not installed. */
export function findProgram(tool: RequiredProgram): string | undefined {
  // Debian keeps nginx in a folder that is not on the PATH of an ordinary account.
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, tool)).find(isProgram)
}

export const describeMissing = (tool: RequiredProgram) =>
  `no ${tool} here: apt-get install ${packages[tool]}`

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
