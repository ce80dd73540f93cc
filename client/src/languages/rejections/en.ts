/** What `describeRejection` says in English: why a back end doesn't accept a card. */
export const englishRejections = {
  'certificate-expired': 'The certificate on this card has expired. You need a new card.',
  'certificate-not-yet-valid': 'The certificate on this card isn’t valid yet. Try again later.',
  'certificate-unsuitable': 'The certificate on this card isn’t meant for this. Use another card.',
  'certificate-untrusted': 'This site doesn’t accept cards from this issuer. Use another card.',
  'certificate-revoked': 'This card has been revoked. Contact the card’s issuer.',
  'revocation-unknown':
    'This site can’t check right now whether your card is still valid. Try again later.',
  'key-unsupported': 'This site doesn’t support this kind of card. Use another card.',
  other: 'This site couldn’t verify your card’s response. Try again.',
}

/** What the catalog of each language has. */
export type RejectionTexts = Readonly<Record<keyof typeof englishRejections, string>>
