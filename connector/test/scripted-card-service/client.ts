/** A program that uses PC/SC: says as JSON what it sees. `client.ts <library>` */
import { openLibrary } from './native.ts'

const [library = ''] = process.argv.slice(2)

function main(): unknown {
  const pcsc = openLibrary(library)
  try {
    const context = pcsc.establish()
    const states = pcsc.look(context, pcsc.list(context), 0)
    const readers = states.map((one) => ({ ...one, features: featuresOf(one.name) }))
    pcsc.release(context)
    return { readers }

    function featuresOf(name: string): string {
      try {
        return pcsc.features(context, name)
      } catch (error) {
        return String(error)
      }
    }
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) }
  }
}

process.stdout.write(`${JSON.stringify(main())}\n`)
