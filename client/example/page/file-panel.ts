/** The part of the page where a user gives it a folder, saves a note there, reads it, and takes the folder back. */
import type { CardwireClient } from '@cardwire/client'
import { type FileEntry, type Files, openFiles } from '@cardwire/client/files'
import { describeError } from './describe-error.ts'
import { getElement, showMessage } from './screens.ts'

export interface FilePanel {
  /** Shows the folder that this page has from an earlier visit, or asks for one. */
  open(client: CardwireClient): Promise<void>
}

/** Names of the page's own choice: whose the folder is, and what it is for. */
const entity = 'example'
const type = 'notes'

const waiting =
  'Cardwire asks for the folder in a separate window. If you don’t see it, look behind this one.'

export function showFilePanel(): FilePanel {
  let files: Files | undefined
  let isBusy = false

  /** Does one thing at a time, and says what became of it; after a failure the folder may be another one, or gone. */
  const run = async (act: (files: Files) => Promise<string>) => {
    if (isBusy || !files) return
    isBusy = true
    setBusy(isBusy)
    try {
      showText(await act(files))
    } catch (error) {
      await show(files).catch(describeError)
      showText(describeError(error), 'failed')
    } finally {
      isBusy = false
      setBusy(isBusy)
    }
  }

  const show = async (from: Files) => {
    const found = (await from.types()).find((one) => one.type === type && one.status === 'MAPPED')
    const list = found ? (await from.list(type)).files : []
    keepFocus(() => {
      getElement('folder').hidden = found === undefined
      getElement('choose-actions').hidden = found !== undefined
      getElement('folder-path').textContent = found?.path ?? ''
      getElement('file-list').replaceChildren(...list.map((file) => toItem(file, run)))
      getElement('no-files').hidden = list.length > 0
    })
  }

  getElement('choose').addEventListener('click', () =>
    run(async (from) => {
      showText(waiting)
      const { path } = await from.createType(type, { start: ['Documents'] })
      await show(from)
      return `This site can read and write files in ${path}.`
    }),
  )
  getElement('save-form').addEventListener('submit', (event) => {
    event.preventDefault()
    void run(async (to) => {
      const name = readField('file-name')
      await to.write({ type, name }, new Blob([readField('note')]))
      await show(to)
      return `${name} is saved.`
    })
  })
  getElement('give-back').addEventListener('click', () =>
    run(async (from) => {
      await from.deleteType(type)
      await show(from)
      return 'This site no longer has a folder. Your files are still there.'
    }),
  )

  return {
    async open(client) {
      files = openFiles(client, entity)
      await run(async (from) => {
        await show(from)
        return ''
      })
    },
  }
}

/** Does one thing with the files, and says what became of it. */
type Run = (act: (files: Files) => Promise<string>) => Promise<void>

function toItem(file: FileEntry, run: Run): HTMLElement {
  const item = document.createElement('li')
  if (file.extension === 'txt') item.append(createReadButton(file, run))
  else item.textContent = file.isDir ? `${file.name}, a folder` : file.name
  return item
}

function createReadButton({ name }: FileEntry, run: Run): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = `Read ${name}`
  button.addEventListener('click', () =>
    run(async (from) => {
      const bytes = await from.read({ type, name })
      return `${name} contains: ${new TextDecoder().decode(bytes)}`
    }),
  )
  return button
}

/** What had the focus may be gone when `act` has run: then the heading has it. */
function keepFocus(act: () => void): void {
  const focused = document.activeElement
  const isHere = getElement('file-panel').contains(focused)
  act()
  if (isHere && !focused?.checkVisibility()) getElement('folder-title').focus()
}

const readField = (id: string) => (getElement(id) as HTMLInputElement | HTMLTextAreaElement).value

function setBusy(isBusy: boolean): void {
  for (const id of ['choose', 'save', 'give-back'])
    getElement(id).setAttribute('aria-disabled', String(isBusy))
}

const showText = (text: string, how?: 'failed') => showMessage('file-message', text, how)
