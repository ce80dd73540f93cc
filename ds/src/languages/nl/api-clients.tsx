/** The texts of the screens of API clients in Dutch. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('nl')

export const apiClients: Texts['apiClients'] = {
  title: 'API-clients',
  about: 'Programma’s die de API aanroepen, zoals CI-pipelines en monitoring, met hun rollen.',
  empty:
    'Nog geen API-clients. Voeg er voor elk programma een toe, zodat geen enkel programma het wachtwoord van een gebruiker nodig heeft.',
  id: 'Client-ID',
  idHint:
    'De client_id die het programma verstuurt. Maximaal 64 kleine letters, cijfers, punten, koppeltekens en onderstrepingstekens. U kunt deze ID later niet wijzigen.',
  roleHint:
    'Releasebeheerders beheren versies en hun uitrol, groepen, installatieprogramma’s, keystores en configuraties. Beheerders kunnen ook logboeken van apparaten bekijken, en apparaten, tags, organisaties, toepassingen en sleutels beheren. Programma’s kunnen geen wijzigingen goedkeuren en geen accounts of API-clients beheren.',
  description: 'Beschrijving',
  descriptionHint: 'Optioneel. Wat het programma doet en wie ervoor verantwoordelijk is.',
  lastUsed: 'Laatst gebruikt',
  expires: 'Vervaldatum',
  expiresHint:
    'Optioneel. Vanaf het begin van deze dag (UTC) heeft het programma geen toegang meer.',
  never: 'Nooit',
  expired: 'Verlopen',
  add: {
    title: 'Een API-client toevoegen',
    note: 'Het programma krijgt toegang zodra u op de volgende pagina aanmeldgegevens toevoegt.',
    button: 'API-client toevoegen',
  },
  history: (by, to) => (
    <>
      {by('Wijzigingen door deze API-client')} en {to('wijzigingen aan deze API-client')}
    </>
  ),
  change: {
    title: 'Rol en vervaldatum',
    button: 'Wijzigingen opslaan',
    note: 'Geldt meteen, ook voor toegangstokens die al zijn uitgegeven.',
  },
  remove: {
    title: 'Verwijderen',
    confirmTitle: (id) => `${id} verwijderen`,
    about: (lastUsed) => (
      <>
        Het programma verliest meteen de toegang. Laatst gebruikt: {lastUsed}. De wijzigingen van
        het programma blijven in het auditlogboek staan.
      </>
    ),
    button: 'API-client verwijderen',
  },
  credentials: {
    title: 'Aanmeldgegevens',
    empty:
      'Nog geen aanmeldgegevens, dus het programma heeft geen toegang. Vertrouw voor een CI-pipeline het CI-systeem. De pipeline hoeft dan geen geheim te bewaren. Voeg voor andere programma’s een geheim toe.',
    none: 'Geen',
    counts: {
      secret: (secrets) => count(secrets, 'geheim', 'geheimen'),
      key: (keys) => count(keys, 'publieke sleutel', 'publieke sleutels'),
      federated: (trusts) => count(trusts, 'vertrouwde uitgever', 'vertrouwde uitgevers'),
    },
    kind: 'Soort',
    kinds: { secret: 'Geheim', key: 'Publieke sleutel', federated: 'Vertrouwde uitgever' },
    details: 'Vertrouwde claims of vingerafdruk',
    added: 'Toegevoegd op',
    actions: 'Acties',
    revoke: {
      link: 'Intrekken',
      label: (kind, added) => `${kind} intrekken, toegevoegd op ${added}`,
      title: (kind, id) => `Aanmeldgegevens van ${id} intrekken: ${kind}`,
      about: (added, lastUsed) => (
        <>
          Toegevoegd: {added}. Laatst gebruikt: {lastUsed}.
        </>
      ),
      effect:
        'Deze aanmeldgegevens en de toegangstokens die ermee zijn uitgegeven, werken meteen niet meer. Andere aanmeldgegevens blijven werken.',
      button: 'Aanmeldgegevens intrekken',
    },
  },
  secret: {
    title: (id) => `Geheim voor ${id}`,
    copy: 'Geheim kopiëren',
    warning:
      'Kopieer dit geheim nu. U krijgt het niet opnieuw te zien, want de server bewaart er alleen een hash van. Zet het geheim op de plaats waar het programma zijn geheimen bewaart.',
    done: 'Ik heb het geheim opgeslagen',
    expires: (time) => <>Het verloopt op {time}.</>,
    add: {
      title: (id) => `Een geheim toevoegen aan ${id}`,
      about: 'Op de volgende pagina ziet u het geheim één keer.',
      button: 'Geheim toevoegen',
    },
    rotate: {
      title: (id) => `Het geheim van ${id} vernieuwen`,
      about:
        'Op de volgende pagina ziet u één keer het nieuwe geheim. Kies hoelang de oudere geheimen nog werken. Het programma heeft die nodig tot u het nieuwe hebt ingesteld.',
      button: 'Geheim vernieuwen',
    },
    days: 'Het geheim verloopt na',
    overlap: 'Oudere geheimen',
    overlaps: {
      none: 'Vervallen meteen',
      hour: 'Werken nog een uur',
      day: 'Werken nog een dag',
      week: 'Werken nog een week',
      month: 'Werken nog 30 dagen',
      keep: 'Werken tot ze verlopen',
    },
  },
  key: {
    title: (id) => `Een publieke sleutel toevoegen aan ${id}`,
    about: (method) => (
      <>
        Het programma ondertekent zijn aanvragen voor toegangstokens met zijn privésleutel ({method}
        ). De privésleutel blijft altijd in het programma.
      </>
    ),
    jwk: 'Publieke sleutel (JWK)',
    hint: 'JSON met kty en zonder het privédeel. EC P-256 of P-384, Ed25519, of RSA van 2048 bits of meer.',
    notJson: 'Dit is geen JSON-object. Plak de hele publieke sleutel, inclusief de accolades.',
    button: 'Publieke sleutel toevoegen',
  },
  trust: {
    review: 'Claims controleren',
    save: 'Deze tokens vertrouwen',
    claims: (id, role) =>
      `Elk token met precies deze claims dat deze uitgever heeft ondertekend, geeft toegang als ${id} met de rol ${role}:`,
    wildcard: (mark) => (
      <>
        {mark} staat voor willekeurige tekst zonder dubbele punten en schuine strepen. Aan het einde
        zijn schuine strepen wel mogelijk.
      </>
    ),
    wayBack: 'U kunt deze aanmeldgegevens op elk moment intrekken.',
    systems: {
      github: {
        link: 'GitHub Actions vertrouwen',
        title: (id) => `GitHub Actions vertrouwen voor ${id}`,
        about:
          'Jobs van deze repository krijgen toegang met hun eigen token, dat GitHub uitgeeft. U hoeft bij GitHub geen geheim op te slaan.',
        owner: 'Eigenaar',
        ownerHint:
          'De gebruiker of organisatie. Gebruik dezelfde hoofdletters en kleine letters als GitHub.',
        repository: 'Repository',
        scope: 'Welke jobs',
        scopeHint:
          'Is voor een job een omgeving ingesteld, kies dan die omgeving. De branch of tag staat dan niet in het token.',
        scopes: {
          branch: 'Jobs van één branch',
          tags: 'Jobs van alle tags',
          environment: 'Jobs van één omgeving',
        },
        name: 'Branch of omgeving',
        nameHint:
          'Laat dit leeg voor alle tags. Iedereen die een tag kan pushen, kan deze client dan gebruiken.',
        ownerId: 'ID van de eigenaar',
        repositoryId: 'ID van de repository',
        idsHint:
          'Beide ID’s zijn verplicht als de repository op of na 15 juli 2026 is gemaakt of hernoemd, of ‘immutable subject claims’ gebruikt. U vindt ze via de API van GitHub, als id en owner.id van de repository.',
        errors: {
          owner: 'Voer de naam van één eigenaar in, zonder de repository.',
          repository: 'Voer de naam van één repository in, zonder de eigenaar.',
          ownerId: 'Voer de ID van de eigenaar in (een getal) of laat beide ID’s leeg.',
          repositoryId: 'Voer de ID van de repository in (een getal) of laat beide ID’s leeg.',
          name: 'Voer één branch of omgeving in. Patronen zijn hier niet mogelijk.',
        },
      },
      gitlab: {
        link: 'GitLab CI/CD vertrouwen',
        title: (id) => `GitLab CI/CD vertrouwen voor ${id}`,
        about:
          'Jobs van dit project krijgen toegang met een ID-token, dat GitLab uitgeeft. U hoeft bij GitLab geen geheim op te slaan.',
        instance: 'URL van GitLab',
        project: 'Pad van het project',
        projectHint: 'Met alle groepen, zoals example/cards.',
        scope: 'Welke jobs',
        scopes: { branch: 'Jobs van één branch', tags: 'Jobs van alle tags' },
        name: 'Branch',
        nameHint: 'Laat dit leeg voor alle tags.',
        protected: 'Alleen als de branch of tag beschermd is',
        protectedHint:
          'Anders kan iedereen die naar de branch kan pushen of een tag kan maken, deze client gebruiken.',
        errors: {
          project: 'Voer het pad van één project in, met alle groepen, zoals example/cards.',
          name: 'Voer één branch in. Patronen zijn hier niet mogelijk.',
        },
      },
      other: {
        link: 'Een andere uitgever vertrouwen',
        title: (id) => `Een andere uitgever vertrouwen voor ${id}`,
        about:
          'Programma’s krijgen toegang met een token van deze uitgever. De server leest de sleutels van de uitgever uit het OpenID Connect-discoverydocument.',
        issuer: 'Uitgever (iss)',
        issuerHint: 'De URL, precies zoals die in de tokens staat, inclusief https.',
        subject: 'Subject (sub)',
        subjectHint:
          'Een sterretje (*) staat voor een heel deel tussen dubbele punten of schuine strepen, maar niet voor een van de eerste twee.',
        audience: 'Audience (aud)',
        audienceHint: 'Optioneel. Standaard: de URL van deze server.',
        claims: 'Extra claims',
        claimsHint:
          'Optioneel. Eén per regel, zoals environment=production. De tokens moeten precies deze waarden bevatten.',
        notClaims:
          'Voer één claim per regel in, zoals environment=production, en elke naam maar één keer.',
      },
    },
  },
}
