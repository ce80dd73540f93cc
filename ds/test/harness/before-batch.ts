/** Lets something happen right before a batch of statements runs: whatever its request has checked by then is past. */
import type { Services } from '../../src/services.ts'

interface Waiting {
  readonly pattern: RegExp
  readonly act: () => Promise<unknown>
}

const toText = (statement: unknown): string =>
  (statement as { readonly toSQL: () => { readonly sql: string } }).toSQL().sql

export function beforeBatch() {
  let waiting: Waiting | undefined

  return {
    /** Before the next batch with a statement that matches. */
    once(pattern: RegExp, act: () => Promise<unknown>): void {
      waiting = { pattern, act }
    },

    /** For `startInProcess`. */
    watch: (services: Services): Services => ({
      ...services,
      db: new Proxy(services.db, {
        get(db, name) {
          const found: unknown = Reflect.get(db, name)
          if (name !== 'batch') return typeof found === 'function' ? found.bind(db) : found
          return async (...[statements]: Parameters<typeof db.batch>) => {
            const found = waiting
            const texts = statements.map(toText)
            if (found && texts.some((text) => found.pattern.test(text))) {
              waiting = undefined
              await found.act()
            }
            return db.batch(statements)
          }
        },
      }),
    }),
  }
}
