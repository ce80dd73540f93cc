/** A pinentry that answers as a test says: what the user would type, and what they would read. */
import { chmod, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minReadingMs } from '../../../src/system/desktop/early-answers.ts'

export interface ScriptedPinentry {
  /** For the connector's PATH. */
  readonly path: string
  /**
   * What it types from now on; `cancel` closes the dialog, `wait` leaves it open. Anything else agrees to a question; a notice stays
   * open until `cancel`. The user reads a window before an answer, except for `early`, which enters 654321 at once.
   */
  type(answer: string): Promise<void>
  /** The texts of all dialogs since the last call, each a line of the protocol. */
  read(): Promise<string>
  remove(): Promise<void>
}

// What is answered earlier counts as typed before the window was read.
const readingS = minReadingMs / 1000 + 0.1

// 83886179 is GPG_ERR_CANCELED of pinentry, 83886194 GPG_ERR_NOT_CONFIRMED, as libgpg-error numbers them.
const script = (folder: string) => `#!/bin/sh
echo 'OK ready'
while read -r line; do
  printf '%s\\n' "$line" >> ${folder}/shown
  case "$line" in
    GETPIN)
      while [ "$(cat ${folder}/answer)" = wait ]; do sleep 0.05; done
      answer=$(cat ${folder}/answer)
      case "$answer" in cancel) ;; early) answer=654321 ;; *) sleep ${readingS} ;; esac
      if [ "$answer" = cancel ]; then echo 'ERR 83886179 cancelled'; else echo "D $answer"; echo OK; fi ;;
    CONFIRM)
      while [ "$(cat ${folder}/answer)" = wait ]; do sleep 0.05; done
      [ "$(cat ${folder}/answer)" = cancel ] || sleep ${readingS}
      if [ "$(cat ${folder}/answer)" = cancel ]; then echo 'ERR 83886194 not confirmed'; else echo OK; fi ;;
    CONFIRM*)
      while [ "$(cat ${folder}/answer)" != cancel ]; do sleep 0.05; done
      echo OK ;;
    BYE) echo OK; exit ;;
    *) echo OK ;;
  esac
done
`

export async function createPinentry(): Promise<ScriptedPinentry> {
  const folder = await mkdtemp(join(tmpdir(), 'cardwire-pinentry-'))
  const file = (name: string) => join(folder, name)
  await writeFile(file('pinentry-gnome3'), script(folder))
  await chmod(file('pinentry-gnome3'), 0o755)
  await writeFile(file('shown'), '')
  let alreadyRead = 0
  return {
    path: `${folder}:${process.env['PATH'] ?? ''}`,
    async type(answer) {
      // At once: a file that is being written is empty for a moment.
      await writeFile(file('next'), answer)
      await rename(file('next'), file('answer'))
    },
    async read() {
      // Nothing is removed from the file: a line that is written meanwhile would be lost.
      const shown = (await readFile(file('shown'), 'utf8')).slice(alreadyRead)
      alreadyRead += shown.length
      return shown
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
