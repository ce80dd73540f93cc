/** The texts of the screens of API clients. */
import type { Child } from 'hono/jsx'
import type { Wrap } from '../markup.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('en-US')

export const apiClients = {
  title: 'API clients',
  about: 'Programs that call the API, such as CI pipelines and monitoring, with their roles.',
  empty: 'No API clients yet. Add one for each program, so that none needs a user’s password.',
  id: 'Client ID',
  idHint:
    'The client_id that the program sends. Up to 64 lowercase letters, digits, dots, hyphens and underscores. You can’t change it later.',
  roleHint:
    'Publishers manage versions, rollouts, groups, installers, keystores and configurations. Administrators also see device logs, and manage devices, tags, organizations, applications and keys. No program can approve changes, or manage accounts and API clients.',
  description: 'Description',
  descriptionHint: 'Optional. What the program does, and who is responsible for it.',
  lastUsed: 'Last used',
  expires: 'Expires',
  expiresHint: 'Optional. From the start of this day (UTC), the program has no access.',
  never: 'Never',
  expired: 'Expired',
  add: {
    title: 'Add an API client',
    note: 'The program gets access when you add a credential on the next page.',
    button: 'Add API client',
  },
  history: (by: Wrap, to: Wrap) => (
    <>
      {by('Changes by this API client')} and {to('changes to this API client')}
    </>
  ),
  change: {
    title: 'Role and expiry',
    button: 'Save changes',
    note: 'Takes effect immediately, including for access tokens already issued.',
  },
  remove: {
    title: 'Remove',
    confirmTitle: (id: string) => `Remove ${id}`,
    about: (lastUsed: Child) => (
      <>
        The program loses its access immediately. Last used: {lastUsed}. Its changes stay in the
        audit log.
      </>
    ),
    button: 'Remove API client',
  },
  credentials: {
    title: 'Credentials',
    empty:
      'No credentials yet, so the program has no access. For a CI pipeline, trust its CI system, so that the pipeline doesn’t have to store a secret. For other programs, add a secret.',
    none: 'None',
    counts: {
      secret: (secrets: number) => count(secrets, 'secret', 'secrets'),
      key: (keys: number) => count(keys, 'public key', 'public keys'),
      federated: (trusts: number) => count(trusts, 'trusted issuer', 'trusted issuers'),
    },
    kind: 'Kind',
    kinds: { secret: 'Secret', key: 'Public key', federated: 'Trusted issuer' },
    details: 'Trusted claims or thumbprint',
    added: 'Added',
    actions: 'Actions',
    revoke: {
      link: 'Revoke',
      label: (kind: string, added: string) => `Revoke ${kind} added at ${added}`,
      title: (kind: string, id: string) => `Revoke credential of ${id}: ${kind}`,
      about: (added: Child, lastUsed: Child) => (
        <>
          Added: {added}. Last used: {lastUsed}.
        </>
      ),
      effect:
        'The credential and the access tokens issued for it stop working immediately. Other credentials keep working.',
      button: 'Revoke credential',
    },
  },
  secret: {
    title: (id: string) => `Secret for ${id}`,
    copy: 'Copy secret',
    warning:
      'Copy this secret now. It won’t be shown again. The service saves only a hash of it. Put the secret where the program keeps its secrets.',
    done: 'I’ve saved the secret',
    expires: (time: Child) => <>It expires on {time}.</>,
    add: {
      title: (id: string) => `Add a secret to ${id}`,
      about: 'The next page shows the secret once.',
      button: 'Add secret',
    },
    rotate: {
      title: (id: string) => `Rotate the secret of ${id}`,
      about:
        'The next page shows the new secret once. Choose how long the older secrets keep working. The program needs them until you give it the new one.',
      button: 'Rotate secret',
    },
    days: 'The secret expires after',
    overlap: 'Older secrets',
    overlaps: {
      none: 'Stop working immediately',
      hour: 'Work for one more hour',
      day: 'Work for one more day',
      week: 'Work for one more week',
      month: 'Work for 30 more days',
      keep: 'Work until they expire',
    },
  },
  key: {
    title: (id: string) => `Add a public key to ${id}`,
    about: (method: Child) => (
      <>
        The program signs its requests for access tokens with its private key ({method}). The
        private key never leaves the program.
      </>
    ),
    jwk: 'Public key (JWK)',
    hint: 'A JSON object with kty, without the private key. EC P-256 or P-384, Ed25519, or RSA with 2048 bits or more.',
    notJson: 'This isn’t a JSON object. Paste the whole public key, including the braces.',
    button: 'Add public key',
  },
  trust: {
    review: 'Review claims',
    save: 'Trust these tokens',
    claims: (id: string, role: string) =>
      `Every token with exactly these claims, signed by this issuer, gives access as ${id} with the role ${role}:`,
    wildcard: (mark: Child) => (
      <>{mark} stands for any text without colons and slashes. At the end, it can have slashes.</>
    ),
    wayBack: 'You can revoke this credential at any time.',
    systems: {
      github: {
        link: 'Trust GitHub Actions',
        title: (id: string) => `Trust GitHub Actions for ${id}`,
        about:
          'Jobs of this repository get access with their own token, which GitHub issues. You don’t have to store a secret in GitHub.',
        owner: 'Owner',
        ownerHint: 'The user or organization. Use uppercase and lowercase exactly as GitHub does.',
        repository: 'Repository',
        scope: 'Which jobs',
        scopeHint:
          'If a job names an environment, choose the environment. Its token doesn’t name the branch or tag.',
        scopes: {
          branch: 'Jobs of one branch',
          tags: 'Jobs of all tags',
          environment: 'Jobs of one environment',
        },
        name: 'Branch or environment',
        nameHint:
          'Leave it empty for all tags. Anyone who can push a tag can then use this client.',
        ownerId: 'Owner ID',
        repositoryId: 'Repository ID',
        idsHint:
          'Both IDs are required if the repository was created or renamed since July 15, 2026, or uses immutable subject claims. GitHub’s API returns them: id and owner.id of the repository.',
        errors: {
          owner: 'Enter the name of one owner, without the repository.',
          repository: 'Enter the name of one repository, without the owner.',
          ownerId: 'Enter the ID of the owner, a number, or leave both IDs empty.',
          repositoryId: 'Enter the ID of the repository, a number, or leave both IDs empty.',
          name: 'Enter one branch or environment. Patterns aren’t possible here.',
        },
      },
      gitlab: {
        link: 'Trust GitLab CI/CD',
        title: (id: string) => `Trust GitLab CI/CD for ${id}`,
        about:
          'Jobs of this project get access with an ID token, which GitLab issues. You don’t have to store a secret in GitLab.',
        instance: 'GitLab URL',
        project: 'Project path',
        projectHint: 'The path with all groups, such as example/cards.',
        scope: 'Which jobs',
        scopes: { branch: 'Jobs of one branch', tags: 'Jobs of all tags' },
        name: 'Branch',
        nameHint: 'Leave it empty for all tags.',
        protected: 'Only if the branch or tag is protected',
        protectedHint:
          'Otherwise, anyone who can push to the branch or create a tag can use this client.',
        errors: {
          project: 'Enter the path of one project with its groups, such as example/cards.',
          name: 'Enter one branch. Patterns aren’t possible here.',
        },
      },
      other: {
        link: 'Trust another issuer',
        title: (id: string) => `Trust another issuer for ${id}`,
        about:
          'Programs get access with a token of this issuer. The service reads the issuer’s keys from its OpenID Connect discovery document.',
        issuer: 'Issuer (iss)',
        issuerHint: 'The URL exactly as it appears in the tokens, including https.',
        subject: 'Subject (sub)',
        subjectHint:
          'An asterisk (*) stands for a whole part between colons or slashes, but not for one of the first two.',
        audience: 'Audience (aud)',
        audienceHint: 'Optional. Default: the URL of this service.',
        claims: 'More claims',
        claimsHint:
          'Optional. One per line, such as environment=production. The tokens must have exactly these values.',
        notClaims: 'Enter one claim per line, such as environment=production, each name once.',
      },
    },
  },
}
