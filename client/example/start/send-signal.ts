/** Signals to the processes of the demonstration. */
import process from 'node:process'

/** Milliseconds that a process may take to end. */
export const stopTimeoutMs = 6000

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/** To the whole process group, where the system has process groups. */
export function sendSignal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, name)
  } catch {
    // It has ended meanwhile.
  }
}
