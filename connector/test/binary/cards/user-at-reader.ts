/** A compiled connector with a reader, and a user who types PINs into a scripted pinentry. */
import type { Settings } from '../../../../test/bed/program.ts'
import { type CardReader, startCardReader, type TestReader } from './card-reader.ts'
import { createPinentry, type ScriptedPinentry } from './scripted-pinentry.ts'

export interface UserAtReader {
  readonly bed: CardReader
  readonly pinentry: ScriptedPinentry
  stop(): Promise<void>
}

/** Without a display, unless the settings name one: the scripted pinentry needs none. */
export async function startUserAtReader(
  settings: Settings = {},
  testReader?: TestReader,
): Promise<UserAtReader> {
  const pinentry = await createPinentry()
  const all = { DISPLAY: ':none', ...settings, PATH: pinentry.path }
  const bed = await startCardReader(all, {}, testReader)
  return {
    bed,
    pinentry,
    async stop() {
      await bed.stop()
      await pinentry.remove()
    },
  }
}
