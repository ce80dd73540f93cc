/** Empty databases of both programs, made once. */
import { Database } from 'bun:sqlite'
import { stateMigrations } from './connector-code.ts'
import { applyMigrations } from './service-code.ts'

export interface Images {
  readonly service: Uint8Array
  readonly state: Uint8Array
}
let images: Images | undefined

export async function makeImages(): Promise<Images> {
  if (images) return images
  const service = new Database(':memory:')
  const run = ({ sql, params }: { readonly sql: string; readonly params: readonly unknown[] }) =>
    service.query(sql).values(...(params as string[])) as unknown as readonly (readonly unknown[])[]
  await applyMigrations({
    run: async (statement) => run(statement),
    batch: async (statements) => statements.map(run),
  })
  const state = new Database(':memory:')
  for (const statements of stateMigrations) state.run(statements)
  images = { service: service.serialize(), state: state.serialize() }
  return images
}
