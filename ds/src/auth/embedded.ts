/** The identity provider that the service carries for installations without one. */
import { clientId, issueToken, Problem, realm, tokenKinds } from '@cardwire/client/protocol'
import { and, eq, lt, lte, sql } from 'drizzle-orm'
import { errors, jwtVerify, SignJWT } from 'jose'
import { auditOf, local, there } from '../db/audit.ts'
import { administrators, loginDelays, sessions } from '../db/schema.ts'
import { forgetAfterS, loginDelayS } from '../rules/login-delay.ts'
import type { LimitName, Services } from '../services.ts'
import {
  type EmbeddedProvider,
  type IdentityProvider,
  identityOf,
  type Tokens,
} from './identity.ts'

/** Lifetimes in seconds. */
const accessLifetimeS = 300
const refreshLifetimeS = 1800
const sessionLifetimeS = 36_000

const role = 'administrator'
const roleClaim = 'realm_access.roles'
const refreshKind = { typ: 'cw-refresh+jwt', algorithm: 'HS256' }

export function embeddedProvider(
  parts: Pick<
    Services,
    'url' | 'db' | 'clock' | 'random' | 'vault' | 'keyring' | 'passwords' | 'limits' | 'log'
  >,
): IdentityProvider {
  const { db, clock, random, vault, keyring, passwords, log } = parts
  const issuer = `${parts.url}/auth/realms/${realm}`
  const refreshKey = vault.macKey('refresh tokens')
  // Awaited where it is used; a failure shows there.
  refreshKey.catch(() => undefined)
  const nowS = () => Math.floor(clock() / 1000)

  async function tokens(session: typeof sessions.$inferSelect): Promise<Tokens> {
    const iat = nowS()
    const left = Math.max(0, Math.floor(session.expiresAt / 1000) - iat)
    const refreshS = Math.min(refreshLifetimeS, left)
    const accessS = Math.min(accessLifetimeS, left)
    const access = await keyring.sign('administrator', tokenKinds.administrator.typ, {
      iss: issuer,
      sub: session.administrator,
      aud: tokenKinds.administrator.audience,
      azp: clientId,
      iat,
      exp: iat + accessS,
      jti: random.uuid(),
      sid: session.id,
      preferred_username: session.administrator,
      realm_access: { roles: [role] },
    })
    const refresh = await new SignJWT({ gen: session.generation })
      .setProtectedHeader({ alg: refreshKind.algorithm, typ: refreshKind.typ })
      .setIssuer(issuer)
      .setAudience(issuer)
      .setSubject(session.id)
      .setIssuedAt(iat)
      .setExpirationTime(iat + refreshS)
      .sign(await refreshKey)
    return {
      access_token: access,
      expires_in: accessS,
      refresh_expires_in: refreshS,
      refresh_token: refresh,
      token_type: 'bearer',
      'not-before-policy': 0,
      session_state: session.id,
      scope: 'profile',
    }
  }

  async function readRefreshToken(token: string): Promise<{ id: string; generation: number }> {
    const { payload } = await jwtVerify(token, await refreshKey, {
      algorithms: [refreshKind.algorithm],
      typ: refreshKind.typ,
      issuer,
      audience: issuer,
      currentDate: new Date(clock()),
    }).catch((error) => {
      throw error instanceof errors.JOSEError ? refused('refresh token') : error
    })
    if (payload.sub === undefined || typeof payload['gen'] !== 'number')
      throw refused('refresh token')
    return { id: payload.sub, generation: payload['gen'] }
  }

  const embedded: EmbeddedProvider = {
    issuer,
    async login(name, password, { address, requestId }) {
      await limited(parts, 'login', address)
      await waitYourTurn(parts, name, address)
      const [account] = await db.select().from(administrators).where(eq(administrators.name, name))
      if (!(await passwords.matches(password, account?.passwordHash)) || !account) {
        log.warn('login refused', { address })
        await limited(parts, 'failure', address)
        throw refused('user name or password')
      }
      const now = clock()
      const session = {
        id: random.uuid(),
        administrator: account.name,
        generation: 1,
        expiresAt: now + sessionLifetimeS * 1000,
        createdAt: now,
      }
      const who = { subject: account.name, issuer, name: account.name }
      const audit = auditOf(parts, issueToken.name, { who, address, requestId })
      // The password may have been changed, or the account removed, while this one was compared.
      const still = there(
        administrators,
        and(
          eq(administrators.name, account.name),
          eq(administrators.passwordHash, account.passwordHash),
        ),
      )
      const { id, administrator, generation, expiresAt, createdAt } = session
      const values = sql`${id}, ${administrator}, ${generation}, ${expiresAt}, ${createdAt}`
      const [begun] = await db.batch([
        db.insert(sessions).select(sql`select ${values} where ${still}`).returning(),
        audit
          .entry('administrator', account.name, ['session'])
          .statement(there(sessions, eq(sessions.id, session.id))),
        db.delete(sessions).where(lt(sessions.expiresAt, now)),
        db
          .delete(loginDelays)
          .where(and(eq(loginDelays.account, name), eq(loginDelays.address, address))),
      ])
      if (begun.length === 0) throw refused('user name or password')
      return tokens(session)
    },
    async refresh(token) {
      const { id, generation } = await readRefreshToken(token)
      const [session] = await db
        .update(sessions)
        .set({ generation: generation + 1 })
        .where(and(eq(sessions.id, id), eq(sessions.generation, generation)))
        .returning()
      if (session && session.expiresAt > clock()) return tokens(session)
      const [ended] = await db.delete(sessions).where(eq(sessions.id, id)).returning()
      if (ended)
        log.warn('session ended', {
          session: id,
          reason: session ? 'expired' : 'a refresh token came twice',
        })
      throw refused('refresh token')
    },
    async logout(token) {
      const { id } = await readRefreshToken(token)
      await db.delete(sessions).where(eq(sessions.id, id))
    },
  }

  return {
    embedded,
    async identify(token) {
      const { typ, audience } = tokenKinds.administrator
      const claims = await keyring.verify('administrator', token, { typ, issuer, audience })
      return identityOf(claims, role, roleClaim)
    },
  }
}

const refused = (what: string) =>
  new Problem('grant-refused', `Cannot log in: the ${what} is wrong or no longer valid`)

async function limited(
  { limits }: Pick<Services, 'limits'>,
  name: LimitName,
  address: string,
): Promise<void> {
  const retryAfterS = await limits.take(name, address)
  if (retryAfterS === undefined) return
  throw new Problem(
    'too-many-requests',
    `Cannot log in: try again in ${Math.ceil(retryAfterS)} s`,
    { retryAfterS },
  )
}

/**
 * Counts the try before the password is looked at, in one conditional statement, so that many tries at once wait like
 * many in a row. Success forgets the count. Only this account from this address is slowed: nobody locks out another.
 */
async function waitYourTurn(
  { db, clock }: Pick<Services, 'db' | 'clock'>,
  account: string,
  address: string,
): Promise<void> {
  const now = clock()
  const at = and(eq(loginDelays.account, account), eq(loginDelays.address, address))
  await db.batch([
    db.delete(loginDelays).where(lt(loginDelays.notBefore, now - forgetAfterS * 1000)),
    db
      .insert(loginDelays)
      .values({ account, address, failures: 0, notBefore: now })
      .onConflictDoNothing(),
  ])
  const [counted] = await db
    .update(loginDelays)
    .set({ failures: sql`${loginDelays.failures} + 1`, notBefore: nextTry(now) })
    .where(and(at, lte(loginDelays.notBefore, now)))
    .returning()
  if (counted) return
  const [waiting] = await db.select().from(loginDelays).where(at)
  const retryAfterS = Math.max(1, Math.ceil(((waiting?.notBefore ?? now) - now) / 1000))
  throw new Problem('too-many-requests', `Cannot log in: try again in ${retryAfterS} s`, {
    retryAfterS,
  })
}

/** The rule of `loginDelayS` as a statement can apply it: a CASE over the failures so far. */
function nextTry(now: number) {
  const steps = Array.from({ length: 14 }, (_, failures) => failures)
  const cases = steps.map(
    (n) =>
      sql`when ${loginDelays.failures} = ${sql.raw(String(n))} then ${now + loginDelayS(n + 1) * 1000}`,
  )
  return sql<number>`case ${sql.join(cases, sql` `)} else ${now + loginDelayS(steps.length + 1) * 1000} end`
}

/** Creates the first administrator when there is none; answers whether this call did. */
export async function ensureAdministrator(
  { db, clock, passwords }: Pick<Services, 'db' | 'clock' | 'passwords'>,
  name: string,
  password: string,
): Promise<boolean> {
  const [any] = await db.select({ name: administrators.name }).from(administrators).limit(1)
  if (any) return false
  const now = clock()
  const row = { name, passwordHash: await passwords.hash(password), createdAt: now, updatedAt: now }
  const audit = auditOf({ db, clock }, 'addAdministrator', local)
  const free = sql`not ${there(administrators, eq(administrators.name, name))}`
  const [, [made]] = await db.batch([
    audit.entry('administrator', name, ['name', 'password']).statement(free),
    db.insert(administrators).values(row).onConflictDoNothing().returning(),
  ])
  return made !== undefined
}
