/** The first administrator of a new service: with a password that is shown here, because the service prints none into a pipe. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { root } from './paths.ts'

/** undefined: the environment names a password or a database server, or the database was made by an earlier start. */
export function createFirstPassword(): string | undefined {
  const { DS_ADMIN_PASSWORD: own, DS_DATABASE: database = 'data/cardwire.sqlite' } = process.env
  const isNew = !database.includes('://') && !existsSync(resolve(root, database))
  return own === undefined && isNew ? randomBytes(15).toString('base64url') : undefined
}

/** The text of the service in the terminal, with that account. */
export const addFirstAdministrator = (banner: string, password: string | undefined): string =>
  password === undefined
    ? banner
    : banner.replace('Ctrl-C', () =>
        [
          'First administrator (shown once; save it now):',
          '',
          `  user name        ${process.env['DS_ADMIN_USER'] ?? 'admin'}`,
          `  password         ${password}`,
          '',
          'Ctrl-C',
        ].join('\n'),
      )
