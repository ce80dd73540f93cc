/** The modules of the connector: what it can do on an operating system, and with a card. */
import * as z from 'zod/mini'
import { data, operation } from './operation.ts'

/** The systems a connector runs on. */
export const ModuleSystem = z.enum(['windows', 'macos', 'linux'])
export type ModuleSystem = z.output<typeof ModuleSystem>

/** What a connector can do, such as reading one kind of card. */
export const Module = z.object({
  id: z.string().check(z.describe('Part of the paths of its operations')),
  version: z.string(),
  description: z.string().check(z.describe('What it does, in a sentence')),
  systems: z.array(ModuleSystem).check(z.describe('The systems it works on')),
  cards: z.boolean().check(z.describe('Whether it works with a card')),
})
export type Module = z.output<typeof Module>

const moduleOperation = { tag: 'Modules', access: 'consented' } as const

export const listModules = operation({
  ...moduleOperation,
  name: 'listModules',
  method: 'GET',
  path: '/v3/modules',
  summary: 'List the modules that work on this system, all or those for one card',
  query: z.strictObject({
    atr: z.optional(
      z
        .string()
        .check(
          z.regex(/^([0-9A-F]{2}){1,33}$/i, 'expected an ATR of 1 to 33 bytes as hex'),
          z.describe('Only modules that work with cards with this ATR'),
        ),
    ),
  }),
  reply: data(z.array(Module)),
  problems: [],
})

export const getModule = operation({
  ...moduleOperation,
  name: 'getModule',
  method: 'GET',
  path: '/v3/modules/{id}',
  summary: 'Get a module',
  params: z.object({ id: z.string() }),
  reply: data(Module),
  problems: ['module-unknown'],
})

// Certificates of smart cards have two to four kilobytes; the largest extensions stay far below this.
const maxCertificateLength = 100_000

export const CertificateInput = z.strictObject({
  cert: z
    .string()
    .check(
      z.minLength(1),
      z.maxLength(maxCertificateLength),
      z.describe('An X.509 certificate: DER as base64, or PEM'),
    ),
})

export const CertificateJson = z.object({
  version: z.int().check(z.describe('1, 2 or 3')),
  serial: z.string().check(z.describe('Upper-case hex')),
  subject: z.string().check(z.describe('Distinguished name in the form of RFC 4514')),
  issuer: z.string().check(z.describe('Distinguished name in the form of RFC 4514')),
})
export type CertificateJson = z.output<typeof CertificateJson>

const x509 = {
  ...moduleOperation,
  method: 'POST',
  body: { type: 'json', schema: CertificateInput },
  problems: [],
} as const

export const x509Pem = operation({
  ...x509,
  name: 'x509Pem',
  path: '/v3/modules/x509/pem',
  summary: 'Convert a certificate to PEM',
  reply: data(z.string()),
})

export const x509Json = operation({
  ...x509,
  name: 'x509Json',
  path: '/v3/modules/x509/json',
  summary: 'Read the version, serial number, subject and issuer of a certificate',
  reply: data(CertificateJson),
})

export const x509SubjectCn = operation({
  ...x509,
  name: 'x509SubjectCn',
  path: '/v3/modules/x509/subject-cn',
  summary: 'Read the common name of a certificate’s subject',
  reply: data(z.string()),
})

export const x509IssuerCn = operation({
  ...x509,
  name: 'x509IssuerCn',
  path: '/v3/modules/x509/issuer-cn',
  summary: 'Read the common name of a certificate’s issuer',
  reply: data(z.string()),
})
