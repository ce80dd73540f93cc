/** What `describeRejection` says in French: why a back end doesn't accept a card. */
import type { RejectionTexts } from './en.ts'

export const frenchRejections: RejectionTexts = {
  'certificate-expired': 'Le certificat de cette carte a expiré. Il vous faut une nouvelle carte.',
  'certificate-not-yet-valid':
    'Le certificat de cette carte n’est pas encore valide. Réessayez plus tard.',
  'certificate-unsuitable':
    'Le certificat de cette carte n’est pas prévu pour cet usage. Utilisez une autre carte.',
  'certificate-untrusted':
    'Ce site n’accepte pas les cartes de cet émetteur. Utilisez une autre carte.',
  'certificate-revoked': 'Cette carte a été révoquée. Contactez l’émetteur de la carte.',
  'revocation-unknown':
    'Ce site ne peut pas vérifier pour le moment si votre carte est toujours valide. Réessayez plus tard.',
  'key-unsupported': 'Ce site ne prend pas en charge ce type de carte. Utilisez une autre carte.',
  other: 'Ce site n’a pas pu vérifier la réponse de votre carte. Réessayez.',
}
