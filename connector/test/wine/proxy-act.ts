/** A program for Windows: prints the proxy that the system names, as JSON. */
import { systemProxy } from '../../src/system/proxy.ts'

systemProxy().then((settings) => process.stdout.write(JSON.stringify(settings ?? null)))
