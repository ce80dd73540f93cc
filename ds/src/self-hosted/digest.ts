/** SHA-256 on Node and Deno: synchronous, because WebCrypto uses the thread pool even for 36 characters. */
import { hash } from 'node:crypto'
import type { Digest } from '../ports.ts'

export const digestWithNode: Digest = async (content) => hash('sha256', content)
