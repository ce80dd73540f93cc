/** The fields of a version in forms: its flags, and an installer for each system. */
import { type Installer, type Platform, platforms } from '@cardwire/protocol'
import type { Child } from 'hono/jsx'
import type { ApiProblem } from '../frame/api.ts'
import { Checkbox, Field, findError } from '../frame/fields.tsx'
import type { Form } from '../frame/form.ts'
import { readTexts } from '../frame/texts.ts'
import { type Flags, flagNames } from './version-data.ts'

export const listPlatforms = () => Object.keys(platforms) as Platform[]

/** The values of fields by their names. */
export type Typed = readonly (readonly [name: string, value: string])[]

export const readFlags = (form: Form): Flags => ({
  recommended: form.has('recommended'),
  mandatory: form.has('mandatory'),
  allowed: form.has('allowed'),
})

export const toTypedFlags = (flags: Flags): Typed =>
  flagNames.flatMap((name) => (flags[name] ? [[name, 'yes'] as const] : []))

export const FlagFields = ({ recommended, mandatory, allowed }: Flags) => {
  const texts = readTexts().versions.flags
  return (
    <fieldset>
      <legend>{texts.legend}</legend>
      <Checkbox name="allowed" label={texts.allowed} checked={allowed} hint={texts.allowedHint} />
      <Checkbox
        name="recommended"
        label={texts.recommended}
        checked={recommended}
        hint={texts.recommendedHint}
      />
      <Checkbox
        name="mandatory"
        label={texts.mandatory}
        checked={mandatory}
        hint={texts.mandatoryHint}
      />
    </fieldset>
  )
}

/** Address and digest by system, as they were typed. */
export type TypedInstallers = readonly {
  readonly os: Platform
  readonly uri: string
  readonly sha256: string
}[]

export const readInstallers = (form: Form): TypedInstallers =>
  listPlatforms().map((os) => ({
    os,
    uri: form.text(`uri-${os}`),
    sha256: form.text(`sha256-${os}`),
  }))

export const toTypedInstallers = (uris: readonly Installer[]): TypedInstallers =>
  listPlatforms().map((os) => {
    const { uri = '', sha256 = '' } = uris.find((one) => one.os === os) ?? {}
    return { os, uri, sha256 }
  })

/** The installers that were typed; one whose address has not changed keeps its size. */
export const toInstallers = (
  typed: TypedInstallers,
  before: readonly Installer[] = [],
): Installer[] =>
  typed
    .filter(({ uri, sha256 }) => uri !== '' || sha256 !== '')
    .map(({ os, uri, sha256 }) => {
      const size = before.find((one) => one.os === os && one.uri === uri)?.size
      return { os, uri, ...(sha256 && { sha256 }), ...(size !== undefined && { size }) }
    })

export const toHiddenInstallers = (typed: TypedInstallers): Typed =>
  typed.flatMap(({ os, uri, sha256 }) => [
    [`uri-${os}`, uri] as const,
    [`sha256-${os}`, sha256] as const,
  ])

/** `files`: the addresses of files that were uploaded, to choose from. */
export const InstallerFields = ({
  typed,
  problem,
  files,
}: {
  readonly typed: TypedInstallers
  readonly problem: ApiProblem | undefined
  readonly files: readonly string[]
}) => (
  <>
    <datalist id="files">
      {files.map((uri) => (
        <option value={uri}></option>
      ))}
    </datalist>
    {typed.map(({ os, uri, sha256 }) => (
      <fieldset>
        <legend>{readTexts().systems[os]}</legend>
        <Field
          name={`uri-${os}`}
          label={readTexts().versions.installers.urlLabel}
          hint={readTexts().versions.installers.urlHint}
          value={uri}
          error={findInstallerError(problem, typed, os, 'uri')}
          list="files"
          maxlength={2048}
        />
        <Field
          name={`sha256-${os}`}
          label="SHA-256"
          hint={readTexts().versions.installers.hashHint}
          value={sha256}
          error={findInstallerError(problem, typed, os, 'sha256')}
          maxlength={64}
        />
      </fieldset>
    ))}
  </>
)

/** The operation names the place in the list that it was sent. */
function findInstallerError(
  problem: ApiProblem | undefined,
  typed: TypedInstallers,
  os: Platform,
  field: 'uri' | 'sha256',
): Child | undefined {
  const at = toInstallers(typed).findIndex((one) => one.os === os)
  return at < 0 ? undefined : findError(problem, `uris[${at}].${field}`)
}

/** The errors that these fields show themselves. */
export const installerErrorPaths: readonly string[] = listPlatforms().flatMap((_, at) => [
  `uris[${at}].uri`,
  `uris[${at}].sha256`,
])
