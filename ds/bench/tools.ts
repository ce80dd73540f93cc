/** The programs of the machine that a measurement needs, and how one gets them. */
import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

const packages = { curl: 'curl', nginx: 'nginx-light', wrk: 'wrk' } as const

export type Tool = keyof typeof packages

/** Where a tool is; undefined when it is not installed. */
export function find(tool: Tool): string | undefined {
  // Debian keeps nginx where an ordinary account does not look.
  const folders = [...(process.env['PATH'] ?? '').split(':'), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, tool)).find(isProgram)
}

export const missing = (tool: Tool) => `no ${tool} here: apt-get install ${packages[tool]}`

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
