/** The paths of the repository and of the connector's binary. */
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url))

const extension = process.platform === 'win32' ? '.exe' : ''
export const connectorBinary = join(root, 'connector/dist', `cardwire${extension}`)
export const connectorPackages = join(root, 'connector/dist/packages')
