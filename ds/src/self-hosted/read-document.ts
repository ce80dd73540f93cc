/** Reads a document on Node and Deno, from the folder that the service was installed with. */
import { readFile } from 'node:fs/promises'
import { documents } from '../resources.ts'
import type { Services } from '../services.ts'

export const readDocument: NonNullable<Services['readDocument']> = (file) =>
  readFile(new URL(file, documents), 'utf8')
