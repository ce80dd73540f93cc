/** Who the claims of a token make an administrator. */
import { describe, expect, test } from 'vitest'
import { readIdentity } from './provider.ts'

const role = 'cardwire-admin'
const roleNames = { administrator: role, publisher: 'release-team', viewer: undefined }
const path = 'realm_access.roles'

describe('readIdentity, for the role,', () => {
  test.each([
    {
      answer: 'yes to it in a list',
      claims: { realm_access: { roles: ['user', role] } },
      is: true,
    },
    { answer: 'yes to it at the top', claims: { roles: [role] }, roleClaim: 'roles', is: true },
    {
      answer: 'yes to it deep down',
      claims: { resource_access: { ds: { roles: [role] } } },
      roleClaim: 'resource_access.ds.roles',
      is: true,
    },
    {
      answer: 'yes to it in a text with spaces',
      claims: { scope: `openid ${role} email` },
      roleClaim: 'scope',
      is: true,
    },
    {
      answer: 'yes to it in a claim whose name has dots',
      claims: { 'https://idp.example/roles': [role] },
      roleClaim: 'https://idp.example/roles',
      is: true,
    },
    { answer: 'yes to it as the whole text', claims: { role }, roleClaim: 'role', is: true },
    { answer: 'no without claims', claims: {}, is: false },
    { answer: 'no to an empty list', claims: { realm_access: { roles: [] } }, is: false },
    { answer: 'no to other roles', claims: { realm_access: { roles: ['user'] } }, is: false },
    {
      answer: 'no to a longer role',
      claims: { realm_access: { roles: [`${role}istrator`, `x${role}`] } },
      is: false,
    },
    {
      answer: 'no to a longer role in a text',
      claims: { scope: `${role}:read` },
      roleClaim: 'scope',
      is: false,
    },
    {
      answer: 'no to other capitals',
      claims: { realm_access: { roles: [role.toUpperCase()] } },
      is: false,
    },
    { answer: 'no to it elsewhere', claims: { roles: [role] }, is: false },
    { answer: 'no to a list in a list', claims: { realm_access: { roles: [[role]] } }, is: false },
    {
      answer: 'no to a record with its name',
      claims: { realm_access: { roles: { [role]: true } } },
      is: false,
    },
    { answer: 'no to null on the way', claims: { realm_access: null }, is: false },
    { answer: 'no to a list on the way', claims: { realm_access: [{ roles: [role] }] }, is: false },
    { answer: 'no to a number', claims: { realm_access: { roles: 1 } }, is: false },
    {
      answer: 'no to what every object inherits',
      claims: { realm_access: {} },
      roleClaim: 'realm_access.constructor.name',
      is: false,
    },
    { answer: 'no to the prototype', claims: {}, roleClaim: '__proto__', is: false },
  ])('says $answer', ({ claims, roleClaim = path, is }) => {
    expect(readIdentity(claims, roleNames, roleClaim).role).toBe(is ? 'administrator' : undefined)
  })
})

describe('readIdentity gives', () => {
  test.each([
    { role: 'publisher', to: 'its name', names: ['release-team'] },
    { role: 'administrator', to: 'the names of two roles', names: ['release-team', role] },
    { role: undefined, to: 'the name of a role that has another one', names: ['publisher'] },
    { role: undefined, to: 'the name of a role that nobody has', names: ['viewer', 'undefined'] },
  ])('the role $role to $to', ({ role, names }) => {
    expect(readIdentity({ roles: names }, roleNames, 'roles').role).toBe(role)
  })
})

describe('readIdentity names', () => {
  test.each([
    { whom: 'the user by the name they know', claims: { preferred_username: 'anna', sub: '42' } },
    { whom: 'the subject otherwise', claims: { sub: 'anna' } },
  ])('$whom', ({ claims }) => {
    expect(readIdentity(claims, roleNames, path).name).toBe('anna')
  })

  test.each([
    { whom: 'there is no name', claims: {} },
    { whom: 'the name is no text', claims: { preferred_username: { first: 'anna' } } },
  ])('nobody when $whom', ({ claims }) => {
    expect(readIdentity(claims, roleNames, path).name).toBe('')
  })
})

describe('readIdentity keeps', () => {
  test('subject and issuer apart from the name', () => {
    const claims = { preferred_username: 'anna', sub: '42', iss: 'https://idp.example' }
    expect(readIdentity(claims, roleNames, path)).toMatchObject({
      name: 'anna',
      subject: '42',
      issuer: 'https://idp.example',
    })
  })

  test('no issuer where the token names none', () => {
    expect(readIdentity({ sub: '42' }, roleNames, path).issuer).toBeNull()
  })
})
