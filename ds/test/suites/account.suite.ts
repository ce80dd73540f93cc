/** The own account: password, second factor, sessions. */
import { expect, test } from 'vitest'
import type { DistributionService } from '../../../test/bed/distribution-service.ts'
import { proves } from '../../../test/bed/proves.ts'
import type { Json } from '../../../test/bed/service-request.ts'
import { webRandom } from '../../src/assemble.ts'
import {
  addSecondFactor,
  beginSecondFactor,
  createAccount,
  createCode,
  getToken,
  logIn,
  type TestAccount,
} from '../harness/account.ts'
import { getData, nextAddress } from '../harness/arrange.ts'
import { withDatabase } from '../harness/stored-data.ts'

/** Statuses before an attempt has to wait. The first delay is a second: on a slow machine it is over before the next attempt. */
async function tryUntilRefused(
  attempt: (n: number) => Promise<{ readonly status: number }>,
): Promise<readonly number[]> {
  const statuses: number[] = []
  for (let n = 0; n < 12; n += 1) {
    const { status } = await attempt(n)
    if (status === 429) return statuses
    statuses.push(status)
  }
  throw new Error('Cannot see a delay: twelve attempts in a row were answered')
}

export function accountSuite(service: () => DistributionService): void {
  const arrange = async (role?: string) => {
    const account = await createAccount(service(), role)
    return { account, token: await getToken(service(), account) }
  }
  const send = (method: string, path: string, token: string, body?: Json, from = nextAddress()) =>
    service().request(method, `/v3/account${path}`, { token, body, from })
  const readAccount = async (token: string) => getData(await send('GET', '', token))

  test('account says who the caller is, whatever the role', async () => {
    for (const role of ['viewer', 'publisher', 'administrator']) {
      const { account, token } = await arrange(role)
      expect(await readAccount(token)).toEqual({
        subject: account.name,
        issuer: `${service().url}/auth/realms/cardwire`,
        name: account.name,
        role,
        secondFactor: false,
      })
    }
  })

  test('second factor asks for nothing before its first code, and for a code of every login after', async () => {
    proves('second-factor')
    const { account, token } = await arrange()
    const secret = await beginSecondFactor(service(), account, token)
    expect((await logIn(service(), account)).status).toBe(200)
    const wrong = await send('POST', '/second-factor/confirm', token, {
      code: createCode(secret, 5),
    })
    expect([wrong.status, wrong.json.code]).toEqual([403, 'code-refused'])
    expect((await readAccount(token)).secondFactor).toBe(false)

    const body = { code: createCode(secret) }
    expect((await send('POST', '/second-factor/confirm', token, body)).status).toBe(200)
    expect((await readAccount(token)).secondFactor).toBe(true)
    const without = await logIn(service(), account, { from: nextAddress() })
    expect([without.status, without.json.error]).toEqual([400, 'mfa_required'])
    const totp = createCode(secret, 1)
    expect((await logIn(service(), account, { totp, from: nextAddress() })).status).toBe(200)
  })

  test('a missing code is said after the right password alone', async () => {
    proves('second-factor', 'code-guessing')
    const { account, token } = await arrange()
    const secret = await addSecondFactor(service(), account, token)
    const wrong = { ...account, password: 'a-wrong-password' }
    const unknown = { ...account, name: 'nobody-of-this-name' }
    const answers = [
      await logIn(service(), wrong, { from: nextAddress() }),
      await logIn(service(), wrong, { totp: createCode(secret, 1), from: nextAddress() }),
      await logIn(service(), unknown, { from: nextAddress() }),
    ]
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers[0]?.json.error).toBe('invalid_grant')
  })

  test('a code works once, however many send it at the same moment', async () => {
    proves('code-guessing')
    const { account, token } = await arrange()
    const totp = createCode(await addSecondFactor(service(), account, token), 1)
    const tries = await Promise.all(
      Array.from({ length: 6 }, () => logIn(service(), account, { totp, from: nextAddress() })),
    )
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400])
  })

  test('wrong codes wait like wrong passwords, and leaving some out does not help', async () => {
    proves('code-guessing')
    const { account, token } = await arrange()
    await addSecondFactor(service(), account, token)
    const from = nextAddress()
    const tries = await tryUntilRefused((n) =>
      logIn(service(), account, { ...(n % 2 === 0 && { totp: `00000${n % 10}` }), from }),
    )
    expect(tries.length).toBeGreaterThanOrEqual(3)
    expect(new Set(tries)).toEqual(new Set([400]))
  })

  /** An account with a second factor and its ten recovery codes. */
  const arrangeCodes = async () => {
    const { account, token } = await arrange()
    const secret = await beginSecondFactor(service(), account, token)
    const body = { code: createCode(secret) }
    const confirmed = getData(await send('POST', '/second-factor/confirm', token, body))
    return { account, token, secret, codes: confirmed.recoveryCodes as string[] }
  }
  const recover = (account: TestAccount, code = '', from = nextAddress()) =>
    logIn(service(), account, { totp: code, from })

  test('ten recovery codes sign in once each, in any case and spacing, and each use is shown', async () => {
    proves('recovery-codes')
    const { account, token, codes } = await arrangeCodes()
    expect(codes).toHaveLength(10)
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^([a-z2-9]{5}-){2}[a-z2-9]{5}$/)
    const from = nextAddress()
    expect(
      (await recover(account, codes[0]?.toUpperCase().replaceAll('-', ' '), from)).status,
    ).toBe(200)
    expect((await recover(account, codes[0])).status).toBe(400)
    expect((await recover(account, codes[1])).status).toBe(200)
    const shown = (await readAccount(token)).recoveryCodes
    expect([shown.left, shown.used.length, shown.used[1]]).toEqual([
      8,
      2,
      { at: expect.any(String), address: from },
    ])
    const path = `/v3/audit?kind=administrator&id=${account.name}&size=100`
    const { items } = getData(
      await service().request('GET', path, { token: await service().login() }),
    )
    const ofUses = items.filter(({ operation }: Json) => operation === 'useRecoveryCode')
    expect(ofUses.map(({ who, fields, address }: Json) => [who.subject, fields, address])).toEqual([
      [account.name, ['recoveryCode'], expect.any(String)],
      [account.name, ['recoveryCode'], from],
    ])
  })

  test('a recovery code works once, however many send it, and only for its account', async () => {
    proves('recovery-codes', 'recovery-code-guessing')
    const { account, codes } = await arrangeCodes()
    const other = await arrangeCodes()
    expect((await recover(other.account, codes[0])).status).toBe(400)
    const tries = await Promise.all(Array.from({ length: 6 }, () => recover(account, codes[0])))
    expect(tries.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400, 400, 400])
  })

  test('wrong recovery codes wait like wrong passwords', async () => {
    proves('recovery-code-guessing')
    const { account } = await arrangeCodes()
    const from = nextAddress()
    const tries = await tryUntilRefused((n) => recover(account, `aaaaa-bbbbb-cccc${n % 10}`, from))
    expect(tries.length).toBeGreaterThanOrEqual(3)
    expect(new Set(tries)).toEqual(new Set([400]))
  })

  test('new recovery codes need password and code, and replace the others', async () => {
    proves('recovery-codes', 'recovery-code-guessing')
    const { account, token, secret, codes } = await arrangeCodes()
    const { password } = account
    const renew = (body: Json) => send('POST', '/recovery-codes', token, body)
    const codeOf = async (body: Json) => (await renew(body)).json.code
    const code = createCode(secret, 1)
    expect(await codeOf({ password: 'a-wrong-password', code })).toBe('password-refused')
    expect(await codeOf({ password, code: createCode(secret, 20) })).toBe('code-refused')
    expect(await codeOf({ password, code: createCode(secret) })).toBe('code-refused')
    const { recoveryCodes } = getData(await renew({ password, code }))
    expect(await codeOf({ password, code })).toBe('code-refused')
    expect((await logIn(service(), account, { totp: code, from: nextAddress() })).status).toBe(400)
    expect((await recover(account, codes[0])).status).toBe(400)
    expect((await recover(account, recoveryCodes[0])).status).toBe(200)
    const none = await arrange()
    const refused = await send('POST', '/recovery-codes', none.token, {
      password: none.account.password,
      code,
    })
    expect([refused.status, refused.json.code]).toEqual([404, 'second-factor-unknown'])
  })

  test('recovery codes are stored as hashes, and go with the second factor', async () => {
    proves('recovery-codes', 'stored-tokens-stolen')
    const { account, token, codes } = await arrangeCodes()
    const read = (name: string) =>
      withDatabase(service(), ({ run }) =>
        run('select * from recovery_codes where administrator = ?', name),
      )
    const rows = await read(account.name)
    expect(rows).toHaveLength(10)
    for (const code of codes) {
      expect(JSON.stringify(rows)).not.toContain(code)
      expect(JSON.stringify(rows)).not.toContain(code.replaceAll('-', ''))
    }
    const { password } = account
    getData(await send('POST', '/second-factor/remove', token, { password }))
    expect(await read(account.name)).toEqual([])
    const reset = await arrangeCodes()
    const admin = { token: await service().login() }
    const path = `/v3/administrators/${reset.account.name}/second-factor`
    getData(await service().request('DELETE', path, admin))
    expect(await read(reset.account.name)).toEqual([])
  })

  test('second factor is removed with the password alone, and begun once', async () => {
    const { account, token } = await arrange()
    await addSecondFactor(service(), account, token)
    const { password } = account
    const again = await send('PUT', '/second-factor', token, { password })
    expect([again.status, again.json.code]).toEqual([409, 'second-factor-taken'])
    const wrong = await send('POST', '/second-factor/remove', token, { password: 'wrong' })
    expect([wrong.status, wrong.json.code]).toEqual([403, 'password-refused'])
    const removed = await send('POST', '/second-factor/remove', token, { password })
    expect(getData(removed).secondFactor).toBe(false)
    expect((await logIn(service(), account, { from: nextAddress() })).status).toBe(200)
    const none = await send('POST', '/second-factor/remove', token, { password })
    expect([none.status, none.json.code]).toEqual([404, 'second-factor-unknown'])
    const unbegun = await send('POST', '/second-factor/confirm', token, { code: '123456' })
    expect([unbegun.status, unbegun.json.code]).toEqual([404, 'second-factor-unknown'])
  })

  test('the secret of a second factor is stored wrapped', async () => {
    proves('stored-tokens-stolen')
    const { account, token } = await arrange()
    const secret = await addSecondFactor(service(), account, token)
    const [row] = await withDatabase(service(), ({ run }) =>
      run('select * from administrators where name = ?', account.name),
    )
    expect(row.totp_secret).toEqual(expect.any(String))
    expect(JSON.stringify(row)).not.toContain(secret)
  })

  test('a wrong password counts as a failed login, also with a token', async () => {
    proves('password-guessing-with-token')
    const { account, token } = await arrange()
    const from = nextAddress()
    const tries = await tryUntilRefused((n) => {
      const body = { password: 'a-wrong-password' }
      const changed = { ...body, newPassword: 'another-good-password' }
      return n % 2 === 0
        ? send('PUT', '/password', token, changed, from)
        : send('PUT', '/second-factor', token, body, from)
    })
    expect(tries.length).toBeGreaterThanOrEqual(3)
    expect(new Set(tries)).toEqual(new Set([403]))
    expect((await logIn(service(), account, { from: nextAddress() })).status).toBe(200)
  })

  /** The refused sign-ins of an account in the audit, oldest first. */
  const readRefused = async (name: string) => {
    const path = `/v3/audit?kind=administrator&id=${encodeURIComponent(name)}&size=100`
    const { items } = getData(
      await service().request('GET', path, { token: await service().login() }),
    )
    return items.filter((item: Json) => item.operation === 'logInRefused').toReversed()
  }

  test('refused sign-ins are in the audit with the account, what was wrong, and where they came from', async () => {
    proves('refused-sign-ins-recorded')
    const { account, token } = await arrange()
    const from = nextAddress()
    const refused = await logIn(service(), { ...account, password: 'a-wrong-password' }, { from })
    expect(refused.status).toBe(400)
    const secret = await addSecondFactor(service(), account, token)
    await logIn(service(), account, { from: nextAddress() })
    await logIn(service(), account, { from: nextAddress(), totp: createCode(secret, 20) })
    await send('POST', '/second-factor/remove', token, { password: 'a-wrong-password' })
    const unknown = { subject: 'unknown', name: 'unknown' }
    const entries = await readRefused(account.name)
    expect(entries[0]).toEqual({
      sequence: expect.any(Number),
      at: expect.any(String),
      who: unknown,
      operation: 'logInRefused',
      kind: 'administrator',
      id: account.name,
      fields: ['password'],
      address: from,
      requestId: refused.headers.get('x-request-id'),
    })
    const self = expect.objectContaining({ subject: account.name, name: account.name })
    expect(entries.map(({ who, fields }: Json) => [who, fields])).toEqual([
      [unknown, ['password']],
      [unknown, ['secondFactor']],
      [unknown, ['secondFactor']],
      [self, ['password']],
    ])
  })

  test('a user name that no account has is nowhere: it may be a password', async () => {
    proves('refused-sign-ins-recorded', 'typed-password-recorded')
    const typed = `a-password-in-the-wrong-field-${webRandom.uuid()}`
    const refused = await logIn(service(), { name: typed, password: 'x' }, { from: nextAddress() })
    expect(refused.status).toBe(400)
    const found = await withDatabase(service(), async ({ run }) => [
      ...(await run(
        'select 1 from audit where id = ? or name = ? or subject = ?',
        typed,
        typed,
        typed,
      )),
      ...(await run("select 1 from quotas where subject like '%' || ?", typed)),
    ])
    expect(found).toEqual([])
  })

  test('the audit keeps a hundred refused sign-ins of an account and day', async () => {
    proves('refused-sign-ins-flood')
    const { account } = await arrange()
    const fail = () =>
      logIn(service(), { ...account, password: 'a-wrong-password' }, { from: nextAddress() })
    await fail()
    await withDatabase(service(), ({ run }) =>
      run('update quotas set used = 99 where subject = ?', `refused logins of ${account.name}`),
    )
    await fail()
    expect((await fail()).status).toBe(400)
    expect(await readRefused(account.name)).toHaveLength(2)
    expect((await logIn(service(), account, { from: nextAddress() })).status).toBe(200)
  })

  test('changed password is the one that works, and the other sessions end', async () => {
    proves('own-account')
    const { account, token } = await arrange()
    const other = await getToken(service(), account)
    const changed = { ...account, password: 'another-good-password' }
    const body = { password: account.password, newPassword: changed.password }
    expect(getData(await send('PUT', '/password', token, body))).toEqual({ ended: 1 })
    expect((await logIn(service(), account, { from: nextAddress() })).status).toBe(400)
    expect((await logIn(service(), changed, { from: nextAddress() })).status).toBe(200)
    expect((await send('GET', '', token)).status).toBe(200)
    expect((await send('GET', '', other)).status).toBe(401)
  })

  test('sessions list those of the caller alone, and say which is the current one', async () => {
    proves('own-account')
    const { account, token } = await arrange()
    await getToken(service(), account)
    const listed = getData(await send('GET', '/sessions', token))
    expect(listed).toHaveLength(2)
    expect(listed.filter((one: Json) => one.current)).toHaveLength(1)
    expect(listed[0]).toEqual({
      id: expect.any(String),
      kind: 'program',
      current: expect.any(Boolean),
      createdAt: expect.any(String),
      expiresAt: expect.any(String),
    })
  })

  test('a session that its owner ends is refused at once, and nobody else ends it', async () => {
    proves('own-account')
    const { account, token } = await arrange()
    const other = await getToken(service(), account)
    const stranger = await arrange()
    const { id } = getData(await send('GET', '/sessions', token)).find((one: Json) => !one.current)
    const refused = await send('DELETE', `/sessions/${id}`, stranger.token)
    expect([refused.status, refused.json.code]).toEqual([404, 'session-unknown'])
    expect((await send('GET', '', other)).status).toBe(200)
    expect(getData(await send('DELETE', `/sessions/${id}`, token))).toEqual({ ended: 1 })
    expect((await send('GET', '', other)).status).toBe(401)
    expect((await send('GET', '', token)).status).toBe(200)
  })

  test('ending the other sessions keeps the one that asks, and those of other accounts', async () => {
    proves('own-account')
    const { account, token } = await arrange()
    const [other, stranger] = [await getToken(service(), account), await arrange()]
    expect(getData(await send('DELETE', '/sessions', token))).toEqual({ ended: 1 })
    expect((await send('GET', '', other)).status).toBe(401)
    expect((await send('GET', '', token)).status).toBe(200)
    expect((await send('GET', '', stranger.token)).status).toBe(200)
  })
}
