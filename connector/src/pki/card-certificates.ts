/** Makes the certificates of a card that exists in software: an authority of that card alone, and those of its cardholder. */
import './reflect-metadata.ts'
// Imported twice, as in x509.ts.
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'
import { type CertificateKeyPair, rootLifeMs } from './certificate.ts'
import { exportKey, generateKeys, importPair, p256, randomSerial, slackMs, toPem } from './x509.ts'

export interface CardCertificates {
  /** The certificate of the authority, PEM. Its key is forgotten: it signs no other card. */
  readonly authority: string
  /** The revocation list of the authority, PEM: it revokes nothing, as long as the card is valid. */
  readonly revocations: string
  readonly authentication: CertificateKeyPair
  readonly signature: CertificateKeyPair
}

const organization: x509.JsonName = [{ O: ['Cardwire'] }, { OU: ['Virtual card'] }]
/** X.520; the library has no short name for it. */
const serialNumberOid = '2.5.4.5'

/** `now` is in milliseconds since 1970, UTC. All keys are P-256, and valid as long as a local root. */
export async function makeCardCertificates(now: number): Promise<CardCertificates> {
  const { KeyUsageFlags: use } = x509
  const issuer = await makeKeys()
  const authorityName: x509.JsonName = [
    ...organization,
    { CN: [`Authority of a virtual card ${randomSerial().slice(0, 8)}`] },
  ]
  // Both certificates name the same cardholder, by a number as well.
  const cardholder: x509.JsonName = [
    ...organization,
    { CN: ['Virtual Person'] },
    { [serialNumberOid]: [randomSerial().slice(0, 16)] },
  ]
  const validity = {
    notBefore: new Date(now - slackMs),
    notAfter: new Date(now - slackMs + rootLifeMs),
    signingAlgorithm: p256,
  }
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    ...validity,
    serialNumber: randomSerial(),
    name: authorityName,
    keys: issuer.keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(use.keyCertSign | use.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(issuer.keys.publicKey),
    ],
  })

  const certify = async (usage: number, purposes: readonly string[]) => {
    const { made, keys } = await makeKeys()
    const certificate = await x509.X509CertificateGenerator.create({
      ...validity,
      serialNumber: randomSerial(),
      subject: cardholder,
      issuer: authority.subjectName,
      publicKey: keys.publicKey,
      signingKey: issuer.keys.privateKey,
      extensions: [
        new x509.BasicConstraintsExtension(false, undefined, true),
        new x509.KeyUsagesExtension(usage, true),
        ...(purposes.length > 0 ? [new x509.ExtendedKeyUsageExtension([...purposes])] : []),
        await x509.AuthorityKeyIdentifierExtension.create(issuer.keys.publicKey),
        await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      ],
    })
    return { cert: toPem(certificate), key: exportKey(made.privateKey) }
  }

  const revocations = await x509.X509CrlGenerator.create({
    issuer: authority.subjectName,
    thisUpdate: validity.notBefore,
    nextUpdate: validity.notAfter,
    signingKey: issuer.keys.privateKey,
    signingAlgorithm: p256,
    extensions: [await x509.AuthorityKeyIdentifierExtension.create(issuer.keys.publicKey)],
  })

  return {
    authority: toPem(authority),
    // The library's own label is not that of RFC 7468.
    revocations: `${x509.PemConverter.encode(revocations.rawData, 'X509 CRL')}\n`,
    authentication: await certify(use.digitalSignature, [x509.ExtendedKeyUsage.clientAuth]),
    signature: await certify(use.nonRepudiation, []),
  }
}

async function makeKeys() {
  const made = await generateKeys('ec', { namedCurve: 'P-256' })
  return { made, keys: await importPair(made, p256) }
}
