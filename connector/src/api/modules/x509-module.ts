/** The module x509: reads certificates that pages send; it needs no card. */
import { x509IssuerCn, x509Json, x509Pem, x509SubjectCn } from '@cardwire/protocol/module'
import type { Module } from './module.ts'
import { issuerCn, subjectCn, toJson, toPem } from './x509.ts'

export const x509Module: Module = {
  id: 'x509',
  version: '1.0.0',
  describe: ({ atr }) =>
    atr === undefined
      ? {
          description: 'Reads X.509 certificates',
          systems: ['windows', 'macos', 'linux'],
          cards: false,
        }
      : undefined,
  routes: (bind) => {
    bind(x509Pem, async ({ body }) => ({ data: toPem(body.cert) }))
    bind(x509Json, async ({ body }) => ({ data: toJson(body.cert) }))
    bind(x509SubjectCn, async ({ body }) => ({ data: subjectCn(body.cert) }))
    bind(x509IssuerCn, async ({ body }) => ({ data: issuerCn(body.cert) }))
  },
}
