/** What the tokens of CI systems say about a job, for the forms that trust them. */

/** What a credential trusts. */
export interface TrustedClaims {
  readonly issuer: string
  readonly subject: string
  readonly audience?: string | undefined
  readonly claims?: Readonly<Record<string, string>> | undefined
}

/** The claims, or the names of the fields that are wrong. */
export type ReadTrust<Field extends string> =
  | { readonly trust: TrustedClaims }
  | { readonly wrong: readonly Field[] }

export const gitHubScopes = ['branch', 'tags', 'environment'] as const
export type GitHubScope = (typeof gitHubScopes)[number]

export const gitHubFields = ['owner', 'repository', 'ownerId', 'repositoryId', 'name'] as const
type GitHubField = (typeof gitHubFields)[number]

export const gitLabScopes = ['branch', 'tags'] as const
export type GitLabScope = (typeof gitLabScopes)[number]

export const gitLabFields = ['project', 'name'] as const
type GitLabField = (typeof gitLabFields)[number]

/** Of GitHub.com. */
export const gitHubIssuer = 'https://token.actions.githubusercontent.com'
export const gitLabIssuer = 'https://gitlab.com'

/** The name of a branch as Git allows it, without `*` (git-check-ref-format). */
const branch = /^[^\s\p{Cc}:*?[\\~^]{1,250}$/u
const environment = /^[^\p{Cc}*]{1,250}$/u
const id = /^[1-9]\d{0,18}$/

/**
 * Jobs of GitHub Actions. Repositories that were created or renamed since July 15, 2026 have the IDs of their owner and their own in the
 * subject; others have them if it is turned on there. Source: GitHub's documentation of OpenID Connect.
 */
export function readGitHubTrust({
  scope,
  ...fields
}: Readonly<Record<GitHubField, string>> & {
  readonly scope: GitHubScope
}): ReadTrust<GitHubField> {
  const { owner, repository, ownerId, repositoryId, name } = fields
  const hasIds = ownerId !== '' || repositoryId !== ''
  const isFine: Readonly<Record<GitHubField, boolean>> = {
    owner: /^[\w-]{1,100}$/.test(owner),
    repository: /^[\w.-]{1,100}$/.test(repository),
    ownerId: !hasIds || id.test(ownerId),
    repositoryId: !hasIds || id.test(repositoryId),
    name: scope === 'tags' || (scope === 'branch' ? branch : environment).test(name),
  }
  const wrong = gitHubFields.filter((field) => !isFine[field])
  if (wrong.length > 0) return { wrong }
  const [ofOwner, ofRepository] = hasIds ? [`@${ownerId}`, `@${repositoryId}`] : ['', '']
  const what = {
    branch: `ref:refs/heads/${name}`,
    tags: 'ref:refs/tags/*',
    // As GitHub writes a colon within a value.
    environment: `environment:${name.replaceAll(':', '%3A')}`,
  }
  const subject = `repo:${owner}${ofOwner}/${repository}${ofRepository}:${what[scope]}`
  return { trust: { issuer: gitHubIssuer, subject } }
}

/** Jobs of GitLab CI/CD. Source: GitLab's documentation of ID tokens. */
export function readGitLabTrust({
  issuer,
  project,
  scope,
  name,
  isProtected,
}: Readonly<Record<GitLabField, string>> & {
  /** The address of the GitLab instance. */
  readonly issuer: string
  readonly scope: GitLabScope
  /** Whether the branch or the tag has to be protected. */
  readonly isProtected: boolean
}): ReadTrust<GitLabField> {
  const isFine: Readonly<Record<GitLabField, boolean>> = {
    project: project.length <= 250 && /^[\w.-]+(?:\/[\w.-]+)+$/.test(project),
    name: scope === 'tags' || branch.test(name),
  }
  const wrong = gitLabFields.filter((field) => !isFine[field])
  if (wrong.length > 0) return { wrong }
  const ref = scope === 'tags' ? 'ref_type:tag:ref:*' : `ref_type:branch:ref:${name}`
  return {
    trust: {
      issuer: issuer.replace(/\/+$/, ''),
      subject: `project_path:${project}:${ref}`,
      ...(isProtected && { claims: { ref_protected: 'true' } }),
    },
  }
}

/** The claims of lines such as `environment=production`; undefined where a line is none, or a name occurs twice. */
export function readClaimLines(text: string): Readonly<Record<string, string>> | undefined {
  const lines = text.split('\n').flatMap((line) => line.trim() || [])
  const claims = new Map<string, string>()
  for (const line of lines) {
    const [, name = '', value = ''] = /^([^=]+?)\s*=\s*(.+)$/.exec(line) ?? []
    if (name === '' || claims.has(name)) return undefined
    claims.set(name, value)
  }
  return Object.fromEntries(claims)
}
