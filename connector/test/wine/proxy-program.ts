/** A program for Windows: prints the proxy that the system names, as JSON. */
import { readSystemProxy } from '../../src/system/proxy.ts'

readSystemProxy().then((settings) => process.stdout.write(JSON.stringify(settings ?? null)))
