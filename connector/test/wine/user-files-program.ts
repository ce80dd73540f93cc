/** A program for Windows: what it reads of a user's folders, as JSON. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { openWindowsUserFiles } from '../../src/system/windows-user-files.ts'

function main(): void {
  const folder = 'C:\\people'
  mkdirSync(`${folder}\\ada\\AppData\\Local`, { recursive: true })
  writeFileSync(`${folder}\\ada\\AppData\\Local\\rootCA.pem`, 'a root\n')
  const files = openWindowsUserFiles(folder)
  const attempt = (...path: readonly string[]) => {
    try {
      return files.read(path, 10)
    } catch (error) {
      return String(error)
    }
  }
  const local = ['ada', 'AppData', 'Local']
  const found = {
    file: attempt(...local, 'rootCA.pem'),
    otherCase: attempt('ADA', 'appdata', 'local', 'ROOTCA.PEM'),
    missing: attempt(...local, 'none.pem'),
    folder: attempt(...local),
    isThere: files.exists(local),
    isFileThere: files.exists([...local, 'rootCA.pem']),
    isNoneThere: files.exists(['bob', 'AppData']),
  }
  process.stdout.write(JSON.stringify(found))
}

try {
  main()
} catch (error) {
  process.stdout.write(JSON.stringify({ failed: String(error) }))
}
