/** The fields that say which jobs of a CI system are trusted, and what they mean for its tokens. */
import type { Child } from 'hono/jsx'
import {
  type GitHubScope,
  type GitLabScope,
  gitHubFields,
  gitHubScopes,
  gitLabFields,
  gitLabIssuer,
  gitLabScopes,
  type ReadTrust,
  readClaimLines,
  readGitHubTrust,
  readGitLabTrust,
  type TrustedClaims,
} from '../../rules/ci-trust.ts'
import type { ChapterName } from '../documents/chapters.ts'
import type { ApiProblem } from '../frame/api.ts'
import { explainField } from '../frame/change.tsx'
import { Checkbox, Field, Select, TextField } from '../frame/fields.tsx'
import type { Form } from '../frame/form.ts'
import { readTexts } from '../frame/texts.ts'

export interface TrustSystem {
  readonly name: 'github' | 'gitlab' | 'other'
  /** What explains it. */
  readonly chapter: ChapterName
  /** The fields of its form. */
  readonly fields: readonly string[]
  /** What of a problem the form shows beside a field. */
  readonly paths: readonly string[]
  read(form: Form): {
    readonly trust?: TrustedClaims
    readonly errors?: Readonly<Record<string, Child>>
  }
  showFields(
    form: Form,
    state: {
      readonly errors: Readonly<Record<string, Child>>
      readonly problem: ApiProblem | undefined
      /** Whether nothing was sent yet. */
      readonly isNew: boolean
    },
  ): Child
}

const readChoice = <T extends string>(form: Form, choices: readonly [T, ...T[]]): T =>
  choices.find((choice) => choice === form.text('scope')) ?? choices[0]

/** The claims of a form, or what to say beside its fields. */
function explain<Field extends string>(
  read: ReadTrust<Field>,
  texts: Readonly<Record<Field, string>>,
) {
  if ('trust' in read) return read
  return { errors: Object.fromEntries(read.wrong.map((field) => [field, texts[field]])) }
}

const gitHub: TrustSystem = {
  name: 'github',
  chapter: 'gitHubActions',
  fields: [...gitHubFields, 'scope'],
  paths: [],
  read(form) {
    const [owner, repository, ownerId, repositoryId, name] = [
      ...[form.text('owner'), form.text('repository')],
      ...[form.text('ownerId'), form.text('repositoryId'), form.text('name')],
    ] as [string, string, string, string, string]
    const scope: GitHubScope = readChoice(form, gitHubScopes)
    const read = readGitHubTrust({ owner, repository, ownerId, repositoryId, name, scope })
    return explain(read, readTexts().apiClients.trust.systems.github.errors)
  },
  showFields(form, { errors }) {
    const texts = readTexts().apiClients.trust.systems.github
    const toField = (name: (typeof gitHubFields)[number]) => ({
      ...{ name, value: form.text(name), error: errors[name], maxlength: 250 },
    })
    return (
      <>
        <Field {...toField('owner')} label={texts.owner} hint={texts.ownerHint} required />
        <Field {...toField('repository')} label={texts.repository} required />
        <Select
          name="scope"
          label={texts.scope}
          hint={texts.scopeHint}
          value={readChoice(form, gitHubScopes)}
          options={gitHubScopes.map((value) => ({ value, text: texts.scopes[value] }))}
        />
        <Field {...toField('name')} label={texts.name} hint={texts.nameHint} />
        <Field {...toField('ownerId')} label={texts.ownerId} hint={texts.idsHint} />
        <Field {...toField('repositoryId')} label={texts.repositoryId} />
      </>
    )
  },
}

const gitLab: TrustSystem = {
  name: 'gitlab',
  chapter: 'gitLab',
  fields: [...gitLabFields, 'issuer', 'scope', 'protected'],
  paths: ['issuer'],
  read(form) {
    const scope: GitLabScope = readChoice(form, gitLabScopes)
    const [issuer, project, name] = [form.text('issuer'), form.text('project'), form.text('name')]
    const isProtected = form.has('protected')
    const read = readGitLabTrust({ issuer, project, name, scope, isProtected })
    return explain(read, readTexts().apiClients.trust.systems.gitlab.errors)
  },
  showFields(form, { errors, problem, isNew }) {
    const texts = readTexts().apiClients.trust.systems.gitlab
    return (
      <>
        <Field
          name="issuer"
          type="url"
          label={texts.instance}
          value={isNew ? gitLabIssuer : form.text('issuer')}
          error={explainField(problem, 'issuer')}
          required
          maxlength={500}
        />
        <Field
          name="project"
          label={texts.project}
          hint={texts.projectHint}
          value={form.text('project')}
          error={errors['project']}
          required
          maxlength={250}
        />
        <Select
          name="scope"
          label={texts.scope}
          value={readChoice(form, gitLabScopes)}
          options={gitLabScopes.map((value) => ({ value, text: texts.scopes[value] }))}
        />
        <Field
          name="name"
          label={texts.name}
          hint={texts.nameHint}
          value={form.text('name')}
          error={errors['name']}
          maxlength={250}
        />
        <Checkbox
          name="protected"
          label={texts.protected}
          checked={isNew || form.has('protected')}
          hint={texts.protectedHint}
        />
      </>
    )
  },
}

const other: TrustSystem = {
  name: 'other',
  chapter: 'otherIssuers',
  fields: ['issuer', 'subject', 'audience', 'claims'],
  paths: ['issuer', 'subject', 'audience'],
  read(form) {
    const claims = readClaimLines(form.text('claims'))
    if (!claims) return { errors: { claims: readTexts().apiClients.trust.systems.other.notClaims } }
    const trust = {
      ...{ issuer: form.text('issuer'), subject: form.text('subject') },
      audience: form.text('audience') || undefined,
      ...(Object.keys(claims).length > 0 && { claims }),
    }
    return { trust }
  },
  showFields(form, { errors, problem }) {
    const texts = readTexts().apiClients.trust.systems.other
    const toField = (name: string) => ({
      ...{ name, value: form.text(name), error: explainField(problem, name), maxlength: 500 },
    })
    return (
      <>
        <Field {...toField('issuer')} label={texts.issuer} hint={texts.issuerHint} required />
        <Field {...toField('subject')} label={texts.subject} hint={texts.subjectHint} required />
        <Field {...toField('audience')} label={texts.audience} hint={texts.audienceHint} />
        <TextField
          name="claims"
          label={texts.claims}
          hint={texts.claimsHint}
          value={form.text('claims')}
          error={errors['claims']}
          rows={4}
        />
      </>
    )
  },
}

export const trustSystems: readonly TrustSystem[] = [gitHub, gitLab, other]
