/** The keys of replies as the service has stored them, and which lead to which. */
import type { ServiceProcess } from './service-process.ts'

export const readKeyIds = (service: ServiceProcess): readonly string[] =>
  service
    .storage()
    .connection.query<{ id: string }, []>(`SELECT id FROM signing_keys WHERE use = 'reply'`)
    .all()
    .map(({ id }) => id)

const readSigningKey = (service: ServiceProcess): string => {
  const keys = service
    .storage()
    .connection.query<{ id: string; signs_from: number }, []>(
      `SELECT id, signs_from FROM signing_keys WHERE use = 'reply' ORDER BY signs_from`,
    )
    .all()
  const signing = keys.findLast(({ signs_from }) => signs_from <= service.now()) ?? keys[0]
  return signing?.id ?? ''
}

/** Whether one of these keys leads to the one that the service signs replies with. */
export function canFollow(service: ServiceProcess, known: readonly string[]): boolean {
  const statements = service
    .storage()
    .connection.query<{ statement: string }, []>('SELECT statement FROM successions')
    .all()
  const steps = statements.map(({ statement }) => {
    const [head = '', payload = ''] = statement.split('.')
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    return { from: read(head).kid, to: read(payload).key.kid }
  })
  const reached = new Set(known)
  for (const kid of reached) {
    for (const { from, to } of steps) if (from === kid) reached.add(to)
  }
  return reached.has(readSigningKey(service))
}
