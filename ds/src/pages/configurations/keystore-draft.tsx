/** The editor of SSL_KEYSTORE: address, digest, and a password that no page shows. */
import type { Configuration, KeystoreCertificate } from '@cardwire/protocol'
import { Field, findError } from '../frame/fields.tsx'
import type { Form } from '../frame/form.ts'
import { readTexts } from '../frame/texts.ts'
import { readCertificate, toCertificateParts } from './certificate.tsx'
import type { Draft } from './draft.ts'

type Keystore = Extract<Configuration, { type: 'SSL_KEYSTORE' }>['config']

/** `stored`: what it replaces, whose password it keeps when none was typed. */
export function readKeystore(form: Form, stored: Keystore | undefined): Draft {
  const [uri, digest] = [form.text('uri'), form.text('digest')]
  // The digest of another file would make connectors refuse this one.
  const isOld = stored !== undefined && uri !== stored.uri && digest === stored.digest
  return createDraft(
    { uri, digest: isOld ? '' : digest, password: form.secret('password') },
    stored !== undefined,
    readCertificate(form.text('certificate')),
  )
}

export const toKeystore = ({ uri, digest = '' }: Keystore): Draft =>
  createDraft({ uri, digest, password: '' }, true)

/** Of a file that was just uploaded with its password, which has to be typed again. */
export const draftKeystore = (uri: string, digest: string): Draft =>
  createDraft({ uri, digest, password: '', isUploaded: true }, false)

export const emptyKeystore = (): Draft => createDraft({ uri: '', digest: '', password: '' }, false)

interface Typed {
  readonly uri: string
  readonly digest: string
  /** Empty where there is none, and on the page after the one that it was typed on. */
  readonly password: string
  /** Whether a password was typed with the file. */
  readonly isUploaded?: true
}

/** `certificate`: what the service has found in the file, for a review. */
function createDraft(typed: Typed, isStored: boolean, certificate?: KeystoreCertificate): Draft {
  const { uri, digest, password, isUploaded = false } = typed
  const texts = readTexts().configurations.keystore
  return {
    config: { uri, ...(digest && { digest }), ...((password || !isStored) && { password }) },
    typed: [
      ['uri', uri],
      ['digest', digest],
      ...(certificate ? [['certificate', JSON.stringify(certificate)] as const] : []),
    ],
    words: [
      { label: texts.url, text: uri },
      { label: 'SHA-256', text: digest },
      {
        label: texts.password,
        text: password || !isStored ? texts.newPassword : texts.currentPassword,
        isSecret: true,
      },
      ...(certificate ? toCertificateParts({ certificate }) : []),
    ],
    hasSecret: password !== '' || isUploaded,
    withCertificate: (found) => createDraft(typed, isStored, found),
    showsError: (path) => path.startsWith('config.'),
    renderFields: (problem) => (
      <>
        <Field
          name="uri"
          label={texts.urlLabel}
          hint={texts.urlHint}
          value={uri}
          error={findError(problem, 'config.uri')}
          required
          maxlength={2048}
        />
        <Field
          name="digest"
          label="SHA-256"
          hint={texts.hashHint}
          value={digest}
          error={findError(problem, 'config.digest')}
          maxlength={64}
        />
        <Field
          name="password"
          label={texts.password}
          type="password"
          autocomplete="new-password"
          hint={isStored ? texts.keepHint : texts.passwordHint}
          error={findError(problem, 'config.password')}
          maxlength={1024}
        />
      </>
    ),
  }
}
