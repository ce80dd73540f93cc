/** The form of each of the first steps. */
import type { Platform } from '@cardwire/client/protocol'
import { platformNames } from '../../rules/platform-names.ts'
import type { ApiProblem } from '../frame/api.ts'
import { Field, findError, ProblemNote, TextField } from '../frame/fields.tsx'
import { Copyable } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import type { PackageFile } from './packages-at-hand.ts'
import type { Progress, StepName } from './steps.ts'

/** What the fields of a form hold, by their names. */
export type Filled = Readonly<Record<string, string | undefined>>

interface StepProps {
  readonly step: StepName
  readonly progress: Progress
  readonly filled: Filled
  readonly problem: ApiProblem | undefined
  /** The files that were uploaded. */
  readonly files: readonly PackageFile[]
  /** The address of the service, as connectors need it. */
  readonly url: string
}

export const StepForm = (props: StepProps) => {
  const Step = forms[props.step]
  return <Step {...props} />
}

const OrganizationStep = ({ filled, problem }: StepProps) => (
  <PostForm to="first-use/organization" button="Create the organization">
    <p>
      Labels belong to an organization: yours, or a customer. Its id is made from its name and never
      changes.
    </p>
    <ProblemNote problem={problem} fields={['name']} />
    <Field
      name="name"
      label="Name of the organization"
      value={filled['name']}
      error={findError(problem, 'name')}
      required
    />
  </PostForm>
)

const LabelStep = ({ progress, filled, problem }: StepProps) => (
  <PostForm to="first-use/label" button="Create the label and show its key">
    <p>
      An application has a label of {progress.organization?.name}, with an API key that only its
      back end knows. Uses of cards are counted by label.
    </p>
    <ProblemNote problem={problem} fields={['name']} />
    <Field
      name="name"
      label="Name of the application"
      value={filled['name']}
      error={findError(problem, 'name')}
      required
    />
  </PostForm>
)

const VersionStep = ({ filled, problem, files }: StepProps) => (
  <PostForm to="first-use/version" button="Register the version">
    <p>
      Users download the connector from here. Give the installer of each system that they have: a
      file that was uploaded, or an address. Connectors of older versions are told to update to it.{' '}
      {files.length === 0
        ? 'No file was uploaded yet: '
        : `${files.length} ${files.length === 1 ? 'file is' : 'files are'} at hand. `}
      <a href="installers">{files.length === 0 ? 'upload a package' : 'Upload another'}</a>
      {files.length === 0 && ', or give addresses'}.
    </p>
    <ProblemNote problem={problem} fields={['id']} />
    <Field
      name="id"
      label="Version"
      hint="Such as 4.0.0, as the package has it"
      value={filled['id']}
      error={findError(problem, 'id')}
      required
    />
    <datalist id="files">
      {files.map(({ uri }) => (
        <option value={uri}></option>
      ))}
    </datalist>
    {listPlatforms().map((os) => (
      <Field
        name={os}
        label={`Installer for ${platformNames[os]}`}
        value={filled[os]}
        list="files"
      />
    ))}
  </PostForm>
)

const listPlatforms = () => Object.keys(platformNames) as Platform[]

const AllowlistStep = ({ progress, filled, problem }: StepProps) => (
  <PostForm to="first-use/allowlist" button="Allow these pages">
    <p>
      Connectors of version {progress.version} answer the pages of these origins alone, and those
      after the user's consent.
    </p>
    <ProblemNote problem={problem} />
    <TextField
      name="origins"
      label="Origins"
      hint="One in a line: https://shop.example, or https://*.bank.example with everything below it"
      value={filled['origins']}
      rows={4}
    />
  </PostForm>
)

const DeviceStep = ({ url }: StepProps) => (
  <>
    <p>
      On a user's machine, install the package and give the connector two settings; the second is
      the installation key that was shown with the version:
    </p>
    <p>
      <Copyable id="ds-url" text={`CARDWIRE_DS_URL=${url}`} name="the address" />
    </p>
    <p>
      <code>CARDWIRE_INSTALLATION_KEY=…</code>
    </p>
    <p>
      The installer is at{' '}
      <a href={`${url}/v3/downloads/installer`}>{`${url}/v3/downloads/installer`}</a>, for
      everybody. This page sees the connector as soon as it has registered:
    </p>
  </>
)

const forms = {
  organization: OrganizationStep,
  label: LabelStep,
  version: VersionStep,
  allowlist: AllowlistStep,
  device: DeviceStep,
} as const
