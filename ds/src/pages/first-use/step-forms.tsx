/** The form of each of the first steps. */
import { Platform } from '@cardwire/protocol'
import { DocumentLinks } from '../documents/document-links.tsx'
import type { ApiProblem } from '../frame/api.ts'
import { Field, findError, ProblemNote, TextField } from '../frame/fields.tsx'
import { Copyable, Table } from '../frame/parts.tsx'
import { PostForm } from '../frame/post-form.tsx'
import { readTexts } from '../frame/texts.ts'
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

const OrganizationStep = ({ filled, problem }: StepProps) => {
  const texts = readTexts().firstUse.organization
  return (
    <PostForm to="first-use/organization" button={texts.button}>
      <p>{texts.about}</p>
      <ProblemNote problem={problem} fields={['name']} />
      <Field
        name="name"
        label={texts.name}
        value={filled['name']}
        error={findError(problem, 'name')}
        required
      />
    </PostForm>
  )
}

const LabelStep = ({ progress, filled, problem }: StepProps) => {
  const texts = readTexts().firstUse.label
  return (
    <PostForm to="first-use/label" button={texts.button}>
      <p>{texts.about(progress.organization?.name ?? '')}</p>
      <ProblemNote problem={problem} fields={['name']} />
      <Field
        name="name"
        label={texts.name}
        value={filled['name']}
        error={findError(problem, 'name')}
        required
      />
    </PostForm>
  )
}

const VersionStep = ({ filled, problem, files }: StepProps) => {
  const texts = readTexts().firstUse.version
  const linkInstallers = (words: string) => <a href="installers">{words}</a>
  return (
    <PostForm to="first-use/version" button={texts.button}>
      <p>
        {texts.about}{' '}
        {files.length === 0
          ? texts.noFiles(linkInstallers)
          : texts.files(files.length, linkInstallers)}
      </p>
      <ProblemNote problem={problem} fields={['id']} />
      <Field
        name="id"
        label={texts.id}
        hint={texts.idHint}
        value={filled['id']}
        error={findError(problem, 'id')}
        required
      />
      <datalist id="files">
        {files.map(({ uri }) => (
          <option value={uri}></option>
        ))}
      </datalist>
      {Platform.options.map((os) => (
        <Field
          name={os}
          label={texts.installer(readTexts().systems[os])}
          value={filled[os]}
          list="files"
        />
      ))}
    </PostForm>
  )
}

const AllowlistStep = ({ progress, filled, problem }: StepProps) => {
  const texts = readTexts().firstUse.allowlist
  return (
    <PostForm to="first-use/allowlist" button={texts.button}>
      <p>{texts.about(progress.version ?? '')}</p>
      <ProblemNote problem={problem} />
      <TextField
        name="origins"
        label={texts.origins}
        hint={texts.originsHint}
        value={filled['origins']}
        rows={4}
      />
    </PostForm>
  )
}

const DeviceStep = ({ url }: StepProps) => {
  const texts = readTexts().firstUse.device
  const download = `${url}/v3/downloads/installer`
  return (
    <>
      <p>{texts.about}</p>
      <p>
        <Copyable id="ds-url" text={`CARDWIRE_DS_URL=${url}`} label={texts.copyUrl} />
      </p>
      <p>
        <code>CARDWIRE_INSTALLATION_KEY=…</code>
      </p>
      <Table
        caption={texts.places.caption}
        head={texts.places.head}
        rows={[
          ['Windows', texts.places.windows(<code>HKLM\SOFTWARE\Cardwire</code>)],
          ['Linux', texts.places.linux(<code>/etc/cardwire/cardwire.conf</code>)],
          [
            'macOS',
            texts.places.mac(
              <code>sudo defaults write /Library/Preferences/cardwire CARDWIRE_DS_URL {url}</code>,
            ),
          ],
        ]}
      />
      <p>{texts.download(<a href={download}>{download}</a>)}</p>
      <DocumentLinks to={['computerSettings', 'browserPolicies']} />
    </>
  )
}

const forms = {
  organization: OrganizationStep,
  label: LabelStep,
  version: VersionStep,
  allowlist: AllowlistStep,
  device: DeviceStep,
} as const
