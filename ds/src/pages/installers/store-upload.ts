/** Stores the file of a form as an installer or a keystore: its bytes go through as they come. */
import type { putInstaller, putKeystore } from '@cardwire/protocol'
import type { EnvelopeData } from '@cardwire/protocol/call'
import { readUploadForm, type UploadForm } from '../../http/upload-form.ts'
import { hexToBase64 } from '../../rules/encoding.ts'
import type { Services } from '../../services.ts'
import { ApiProblem, createAddress, readProblem } from '../frame/api.ts'
import type { PageContext } from '../frame/page-env.ts'
import { readTexts } from '../frame/texts.ts'

/** `created`: not in place of a file that was there. */
export type StoredFile = EnvelopeData<typeof putInstaller> & { readonly created: boolean }

type PutFile = typeof putInstaller | typeof putKeystore

export interface ReceivedForm {
  /** What was typed, spaces at its ends included. */
  readonly fields: URLSearchParams
  /** What the file was to be called. */
  readonly name: string
  /** The file as it is stored now, or why it is not. */
  readonly stored: StoredFile | ApiProblem
}

/**
 * Receives the form of `UploadForm` and stores its file by `operation`: under the name in the field `name`, else its own, and only with the
 * digest in the field `sha256` where one is given. `findFault` looks at the fields before anything is stored.
 */
export async function receiveUploadForm(
  context: PageContext,
  { allowLongBody }: Services,
  operation: PutFile,
  findFault: (fields: URLSearchParams) => ApiProblem | undefined = () => undefined,
): Promise<ReceivedForm> {
  const form = await readUploadForm(context.req.raw)
  const fault = findFault(form.fields)
  const stored = fault ?? (await store(context, operation, form))
  if (stored instanceof ApiProblem) {
    allowLongBody?.(context)
    await receiveRest(form.file.body)
  }
  return { fields: form.fields, name: readName(form), stored }
}

const readName = ({ fields, file }: UploadForm) => (fields.get('name') ?? '').trim() || file.name

async function store(
  { var: { api } }: PageContext,
  operation: PutFile,
  form: UploadForm,
): Promise<StoredFile | ApiProblem> {
  const { fields, file } = form
  const texts = readTexts().installers.faults
  if (file.name === '' && file.size === 0) return createFault('file', texts.file)
  const sha256 = (fields.get('sha256') ?? '').trim().toLowerCase()
  if (!/^([0-9a-f]{64})?$/.test(sha256)) return createFault('sha256', texts.hash)
  const name = readName(form)
  const response = await api.send(operation.method, toAddress(operation, name, fields), {
    headers: {
      'content-type': 'application/octet-stream',
      'content-length': String(file.size),
      ...(sha256 !== '' && { 'content-digest': `sha-256=:${hexToBase64(sha256)}:` }),
    },
    body: file.body,
    // Node wants to be told that the response may come before the end of the body.
    duplex: 'half',
  } as RequestInit)
  if (!response.ok) return readProblem(response)
  const { data } = (await response.json()) as { readonly data: StoredFile }
  return { ...data, created: response.status === 201 }
}

/** A manifest may change what devices are offered: at most the number that was confirmed for this file. Nothing depends on a keystore yet. */
const toAddress = (operation: PutFile, name: string, fields: URLSearchParams) =>
  operation.name === 'putInstaller'
    ? createAddress(operation, {
        params: { name },
        query: { maxReach: (fields.get('reviewed') === name && fields.get('maxReach')) || '0' },
      })
    : createAddress(operation, { params: { name } })

/** A fault in what was typed, as an operation would name it. */
export const createFault = (path: string, message: string): ApiProblem =>
  new ApiProblem(
    422,
    { description: readTexts().installers.faults.title, errors: [{ path, message }] },
    null,
  )

/** A browser reads the response when it has sent all: what nobody wants is read and dropped. */
export async function receiveRest(body: ReadableStream<Uint8Array>): Promise<void> {
  if (body.locked) return
  await body.pipeTo(new WritableStream()).catch(() => undefined)
}
