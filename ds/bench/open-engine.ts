/** Opens the database that a measurement names. */
import type { Engine } from './engine.ts'
import { openFileEngine } from './file-engine.ts'
import { openPostgresEngine, startPostgresEngine } from './postgres-engine.ts'

/** `database`: as `DS_DATABASE` has it; "postgres" alone starts a server for this measurement. */
export async function openEngine(database: string): Promise<Engine> {
  if (database === 'postgres') return startPostgresEngine()
  return /^\w+:\/\//.test(database) ? openPostgresEngine(database) : openFileEngine(database)
}
