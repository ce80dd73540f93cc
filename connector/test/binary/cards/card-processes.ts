/** The processes of a connector for cards, and for libraries of tokens. */
import { readdirSync, readFileSync } from 'node:fs'

/** Their ids. */
export const findCardProcesses = (
  connector: number | undefined,
  wanted: 'card' | 'token' = 'card',
): readonly string[] =>
  readdirSync('/proc').filter((name) => {
    try {
      const [, role] = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0')
      const status = readFileSync(`/proc/${name}/status`, 'utf8')
      return role === wanted && status.includes(`PPid:\t${connector}\n`)
    } catch {
      // It is no process, or has ended.
      return false
    }
  })
