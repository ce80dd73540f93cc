/** Loads the library of its argument, as JSON, and prints what came of it: for accounts other than that of the test. */
import { loadLibrary } from '../../src/sandbox/tokens/load-library.ts'

try {
  loadLibrary(JSON.parse(process.argv[2] ?? ''))
  process.stdout.write('loaded')
} catch (error) {
  process.stdout.write(String(error))
}
