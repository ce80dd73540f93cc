/** The editor of FILE_DIGESTS: one file in a line, as sha256sum writes it. */
import { type Configuration, type Platform, platforms } from '@cardwire/protocol'
import { TextField } from '../frame/fields.tsx'
import type { Form } from '../frame/form.ts'
import { readTexts } from '../frame/texts.ts'
import { type Draft, explainLines, splitLines } from './draft.ts'

type FileDigests = Extract<Configuration, { type: 'FILE_DIGESTS' }>['config']

export const readFileDigests = (form: Form): Draft => createDraft(form.text('files'))

export const toFileDigests = ({ files }: FileDigests): Draft =>
  createDraft(
    files
      .map(({ path, digest, os }) => [...(os === undefined ? [] : [os]), digest, path].join(' '))
      .join('\n'),
  )

/** `UNIX sha256:… bin/connector`; 64 digits alone are SHA-256, too. */
function parseLine(line: string) {
  const [first = '', ...rest] = line.split(/\s+/)
  const hasSystem = first in platforms
  const [digest = '', ...path] = hasSystem ? rest : [first, ...rest]
  return {
    path: path.join(' '),
    digest: /^[0-9a-f]{64}$/i.test(digest) ? `sha256:${digest}` : digest,
    ...(hasSystem && { os: first }),
  }
}

/** What begins a line, with the system that it means. */
const listSystems = () =>
  (Object.keys(platforms) as Platform[])
    .map((os) => `${os} (${readTexts().systems[os]})`)
    .join(', ')

function createDraft(text: string): Draft {
  const lines = splitLines(text)
  const texts = readTexts().configurations.files
  return {
    config: { files: lines.map(parseLine) },
    typed: [['files', text]],
    words: [{ label: texts.part, text: lines.join('\n') }],
    showsError: (path) => path.startsWith('config.files'),
    renderFields: (problem) => (
      <TextField
        name="files"
        label={texts.label}
        hint={texts.hint(listSystems())}
        value={text}
        rows={14}
        error={explainLines(problem, 'config.files')}
      />
    ),
  }
}
