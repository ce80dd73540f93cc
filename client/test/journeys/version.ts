/** The version of the connector that is installed. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { connectorProgram } from '../../../test/bed/repository.ts'

export const newestVersion = async (): Promise<string> =>
  (await promisify(execFile)(connectorProgram, ['version'])).stdout.trim()
