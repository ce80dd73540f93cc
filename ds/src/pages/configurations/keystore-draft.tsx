/** The editor of SSL_KEYSTORE: address, digest, and a password that no page shows. */
import type { Configuration } from '@cardwire/client/protocol'
import { Field, findError } from '../frame/fields.tsx'
import type { Form } from '../frame/form.ts'
import type { Draft } from './draft.ts'

type Keystore = Extract<Configuration, { type: 'SSL_KEYSTORE' }>['config']

/** `stored`: what it replaces, whose password it keeps when none was typed. */
export function readKeystore(form: Form, stored: Keystore | undefined): Draft {
  const [uri, digest] = [form.text('uri'), form.text('digest')]
  // The digest of another file would make connectors refuse this one.
  const isOld = stored !== undefined && uri !== stored.uri && digest === stored.digest
  return createDraft(uri, isOld ? '' : digest, form.secret('password'), stored !== undefined)
}

export const toKeystore = ({ uri, digest = '' }: Keystore): Draft =>
  createDraft(uri, digest, '', true)

export const emptyKeystore = (): Draft => createDraft('', '', '', false)

const createDraft = (uri: string, digest: string, password: string, isStored: boolean): Draft => ({
  config: { uri, ...(digest && { digest }), ...((password || !isStored) && { password }) },
  typed: [
    ['uri', uri],
    ['digest', digest],
  ],
  words: [
    { label: 'Address', text: uri },
    { label: 'SHA-256', text: digest },
    { label: 'Password', text: password ? 'a new one' : 'as it is' },
  ],
  hasSecret: password !== '',
  showsError: (path) => path.startsWith('config.'),
  renderFields: (problem) => (
    <>
      <Field
        name="uri"
        label="Address of the keystore"
        hint="https://…, or file:///… of a file in the keystores"
        value={uri}
        error={findError(problem, 'config.uri')}
        required
        maxlength={2048}
      />
      <Field
        name="digest"
        label="SHA-256"
        hint="64 hex digits. The service computes that of a file in the keystores itself"
        value={digest}
        error={findError(problem, 'config.digest')}
        maxlength={64}
      />
      <Field
        name="password"
        label="Password"
        type="password"
        autocomplete="new-password"
        hint={isStored ? 'Empty: it stays as it is' : 'No page and no response shows it again'}
        error={findError(problem, 'config.password')}
        maxlength={1024}
      />
    </>
  ),
})
