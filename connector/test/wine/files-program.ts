/** A program for Windows: exchanges files in a folder of its own as the connector does, and prints what came of it as JSON. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createUseFolder } from '../../src/files/contained-folder.ts'
import { createFileExchange } from '../../src/files/file-exchange.ts'
import { createJudgeFolder } from '../../src/files/judge-folder.ts'
import { createMarkFile } from '../../src/files/mark-file.ts'
import { openPartJournal } from '../../src/files/part-journal.ts'
import { createRenameFile } from '../../src/files/rename-file.ts'
import { isPartName } from '../../src/files/whole-files.ts'

const names = [
  ...['plain.txt', '..', '..\\outside.txt', 'C:\\outside.txt', 'a.txt:stream', 'NUL', 'con.txt'],
  ...[
    'COM1',
    'aux.pdf',
    'end.',
    'end ',
    'LONGNA~1.TXT',
    'run.exe',
    'run.lnk',
    'a/b',
    'Übung é.txt',
  ],
]

async function main(): Promise<void> {
  const base = `C:\\cardwire-files-${Date.now()}`
  const root = join(base, 'root')
  mkdirSync(join(root, 'sub'), { recursive: true })
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined }
  const journal = openPartJournal(join(base, 'runtime'), isPartName, quiet)
  const [home, own] = [join(base, 'home'), join(base, 'own')]
  for (const folder of ['AppData', 'invoices']) mkdirSync(join(home, folder), { recursive: true })
  mkdirSync(own)
  const judge = createJudgeFolder({ platform: 'win32', home, own: [own], programs: [] })
  const unmarked: string[] = []
  const exchange = createFileExchange(createUseFolder('win32', judge), {
    journal,
    rename: createRenameFile(),
    mark: createMarkFile('win32'),
    onUnmarked: (folder) => void unmarked.push(folder.replace(base, 'base')),
  })
  const type = { origin: 'https://shop.example', entity: 'shop', type: 'invoices', path: root }
  const word = (act: Promise<unknown>) =>
    act.then(
      () => 'done',
      (error: unknown) => (error instanceof Error ? error.name : String(error)),
    )
  const written: Record<string, string> = {}
  for (const fileName of names)
    written[fileName] = await word(exchange.write({ type, fileName }, Buffer.from(fileName)))
  const taken = await word(exchange.write({ type, fileName: 'PLAIN.TXT' }, Buffer.from('other')))
  const from = { type, fileName: 'plain.txt' }
  const to = { type, relPath: ['sub'], fileName: 'plain.txt' }
  const copied = await word(exchange.copy(from, to))
  const moved = await word(exchange.move(from, to))
  const renamed = await word(exchange.move(from, { type, fileName: 'renamed.txt' }))
  writeFileSync(join(base, 'outside.txt'), 'outside')
  const outside = await word(exchange.read({ type, relPath: ['..'], fileName: 'outside.txt' }))
  const drive = await word(exchange.list({ type, relPath: ['C:'] }))
  const list = (path: string) => word(exchange.list({ type: { ...type, path } }))
  const named = {
    home: await list(home),
    upperCase: await list(home.toUpperCase()),
    settings: await list(join(home, 'AppData')),
    own: await list(own),
    system: await list('C:\\windows\\Temp'),
    drive: await list('C:\\'),
    inHome: await list(join(home, 'invoices')),
  }
  // Wine has no streams: what names one is a file, which keeps the name of the unfinished file.
  const marks = readdirSync(root).filter((name) => name.endsWith('.part:Zone.Identifier'))
  process.stdout.write(
    JSON.stringify({
      named,
      ...{ written, taken, copied, moved, renamed, outside, drive },
      root: readdirSync(root)
        .filter((name) => !marks.includes(name))
        .toSorted(),
      content: readFileSync(join(root, 'renamed.txt'), 'utf8'),
      marks: marks.map((name) => readFileSync(join(root, name), 'utf8')),
      unmarked,
      beside: readdirSync(base).toSorted(),
      drivers: existsSync('C:\\outside.txt'),
    }),
  )
}

main().catch((error: unknown) => process.stdout.write(JSON.stringify({ failed: String(error) })))
