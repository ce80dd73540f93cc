/** What `describeRejection` says in German: why a back end doesn't accept a card. */
import type { RejectionTexts } from './en.ts'

export const germanRejections: RejectionTexts = {
  'certificate-expired':
    'Das Zertifikat auf dieser Karte ist abgelaufen. Sie benötigen eine neue Karte.',
  'certificate-not-yet-valid':
    'Das Zertifikat auf dieser Karte ist noch nicht gültig. Versuchen Sie es später erneut.',
  'certificate-unsuitable':
    'Das Zertifikat auf dieser Karte ist dafür nicht vorgesehen. Verwenden Sie eine andere Karte.',
  'certificate-untrusted':
    'Diese Website akzeptiert keine Karten dieses Ausstellers. Verwenden Sie eine andere Karte.',
  'certificate-revoked': 'Diese Karte wurde gesperrt. Wenden Sie sich an den Aussteller der Karte.',
  'revocation-unknown':
    'Diese Website kann zurzeit nicht prüfen, ob Ihre Karte noch gültig ist. Versuchen Sie es später erneut.',
  'key-unsupported':
    'Diese Website unterstützt diese Art von Karte nicht. Verwenden Sie eine andere Karte.',
  other: 'Diese Website konnte die Antwort Ihrer Karte nicht prüfen. Versuchen Sie es erneut.',
}
