/** What `describeRejection` says in Dutch: why a back end doesn't accept a card. */
import type { RejectionTexts } from './en.ts'

export const dutchRejections: RejectionTexts = {
  'certificate-expired':
    'Het certificaat op deze kaart is verlopen. U hebt een nieuwe kaart nodig.',
  'certificate-not-yet-valid':
    'Het certificaat op deze kaart is nog niet geldig. Probeer het later opnieuw.',
  'certificate-unsuitable':
    'Het certificaat op deze kaart is hier niet voor bedoeld. Gebruik een andere kaart.',
  'certificate-untrusted':
    'Deze website accepteert geen kaarten van deze uitgever. Gebruik een andere kaart.',
  'certificate-revoked': 'Deze kaart is ingetrokken. Neem contact op met de uitgever van de kaart.',
  'revocation-unknown':
    'Deze website kan op dit moment niet controleren of uw kaart nog geldig is. Probeer het later opnieuw.',
  'key-unsupported': 'Deze website ondersteunt dit soort kaart niet. Gebruik een andere kaart.',
  other: 'Deze website kon het antwoord van uw kaart niet controleren. Probeer het opnieuw.',
}
