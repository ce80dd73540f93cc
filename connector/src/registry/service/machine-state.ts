/** How the registry of the machine stands with the distribution service: a file that every account may read. */
import { rm } from 'node:fs/promises'
import { SyncState } from '@cardwire/protocol/connector-sync'
import writeFileAtomic from 'write-file-atomic'
import * as z from 'zod/mini'
import type { MachineDevice } from '../../distribution/machine-device.ts'
import { readSmallFile } from '../../small-file.ts'
import type { MachineFolders } from '../../system/folders.ts'

export const MachineState = z.object({
  sync: SyncState,
  keystore: z
    .optional(z.object({ names: z.readonly(z.array(z.string())), until: z.iso.datetime() }))
    .check(z.describe('The keystore of the service that it serves')),
  faults: z.readonly(z.array(z.object({ kind: z.string(), detail: z.string() }))),
})
export type MachineState = z.output<typeof MachineState>

/** Bytes; it has some hundred, and at most twenty faults of a thousand characters. */
const maxBytes = 64 * 1024

/** undefined: no service manages the registry of this machine, or it has not run yet. */
export async function readMachineState({
  state,
}: Pick<MachineFolders, 'state'>): Promise<MachineState | undefined> {
  try {
    return z.parse(MachineState, JSON.parse(await readSmallFile(state, maxBytes)))
  } catch {
    return undefined
  }
}

/** Without a device there is no file. */
export async function writeMachineState(
  { state }: Pick<MachineFolders, 'state'>,
  device: Pick<MachineDevice, 'keystore' | 'syncState' | 'faults'> | undefined,
): Promise<void> {
  if (device === undefined) return rm(state, { force: true })
  const { names, notAfter } = device.keystore.current() ?? {}
  const content: MachineState = {
    sync: device.syncState(),
    ...(names && notAfter && { keystore: { names, until: new Date(notAfter).toISOString() } }),
    faults: device.faults().map(({ kind, detail }) => ({ kind, detail })),
  }
  // Regardless of the umask: users have to read it.
  await writeFileAtomic(state, JSON.stringify(content), { mode: 0o644 })
}
