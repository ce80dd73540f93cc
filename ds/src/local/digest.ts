/** SHA-256 on Node and Deno: at once, where WebCrypto would take a turn of the thread pool for 36 characters. */
import { hash } from 'node:crypto'
import type { Digest } from '../services.ts'

export const nodeDigest: Digest = async (content) => hash('sha256', content)
