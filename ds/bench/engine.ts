/** The database of a measurement: what fills it with devices, and what of the same engine it is measured against. */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { type ChildProgram, start } from './child-process.ts'
import { createFileStore, type StoreDevices } from './devices-rows.ts'
import { readStartArguments } from './service.ts'

interface Engine {
  readonly store: StoreDevices
  /** A route that verifies a signature and writes a row, over a copy of the devices. `folder` is for its files. */
  startBare(folder: string, name: string): Promise<ChildProgram & { readonly url: string }>
  /** Of the database, in bytes. */
  readSize(): number
}

/** `database`: as `DS_DATABASE` has it. */
export function openEngine(database: string): Engine {
  if (/^\w+:\/\//.test(database)) {
    throw new Error(
      `Cannot measure "${database.split('://')[0]}://…": this bench fills SQLite alone`,
    )
  }
  return {
    store: createFileStore(database),
    async startBare(folder, name) {
      // Memory is bounded for the service: the same bound for what it is measured against.
      const options = (await readStartArguments()).filter((argument) => argument.startsWith('-'))
      const bare = start(folder, process.execPath, [
        ...options,
        fileURLToPath(import.meta.resolve('./bare-sync.ts')),
        database,
        join(folder, `${name}.sqlite`),
      ])
      return { ...bare, url: await bare.waitForOutput(/(http\S+)/) }
    },
    readSize: () => statSync(database).size,
  }
}
