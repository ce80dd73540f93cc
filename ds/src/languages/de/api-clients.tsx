/** The texts of the screens of API clients in German. */
import type { Texts } from '../en/catalog.ts'
import { createNumbers } from '../numbers.ts'

const { count } = createNumbers('de')

export const apiClients: Texts['apiClients'] = {
  title: 'API-Clients',
  about:
    'Programme wie CI-Pipelines oder Ihr Monitoring, die auf die API zugreifen, mit ihren Rollen.',
  empty:
    'Noch keine API-Clients. Fügen Sie für jedes Programm einen hinzu, damit keines das Passwort eines Benutzers braucht.',
  id: 'Client-ID',
  idHint:
    'Die client_id, die das Programm sendet. Bis zu 64 Kleinbuchstaben, Ziffern, Punkte, Binde- und Unterstriche. Die ID lässt sich später nicht ändern.',
  roleHint:
    'Herausgeber verwalten Versionen, Rollouts, Gruppen, Installationsprogramme, Keystores und Konfigurationen. Administratoren sehen außerdem Geräteprotokolle und verwalten Geräte, Tags, Organisationen, Anwendungen und Schlüssel. Kein Programm kann Änderungen genehmigen oder Konten und API-Clients verwalten.',
  description: 'Beschreibung',
  descriptionHint: 'Optional. Was das Programm macht und wer dafür zuständig ist.',
  lastUsed: 'Zuletzt verwendet',
  expires: 'Läuft ab',
  expiresHint: 'Optional. Ab Beginn dieses Tages (UTC) hat das Programm keinen Zugriff mehr.',
  never: 'Nie',
  expired: 'Abgelaufen',
  add: {
    title: 'API-Client hinzufügen',
    note: 'Das Programm erhält Zugriff, sobald Sie auf der nächsten Seite Zugangsdaten hinzufügen.',
    button: 'API-Client hinzufügen',
  },
  history: (by, to) => (
    <>
      {by('Änderungen durch diesen API-Client')} und {to('Änderungen an diesem API-Client')}
    </>
  ),
  change: {
    title: 'Rolle und Ablaufdatum',
    button: 'Änderungen speichern',
    note: 'Gilt sofort, auch für bereits ausgestellte Zugriffstokens.',
  },
  remove: {
    title: 'Entfernen',
    confirmTitle: (id) => `${id} entfernen`,
    about: (lastUsed) => (
      <>
        Das Programm verliert sofort den Zugriff. Zuletzt verwendet: {lastUsed}. Seine Änderungen
        bleiben im Audit-Protokoll.
      </>
    ),
    button: 'API-Client entfernen',
  },
  credentials: {
    title: 'Zugangsdaten',
    empty:
      'Noch keine Zugangsdaten. Das Programm hat deshalb keinen Zugriff. Bei einer CI-Pipeline vertrauen Sie dem CI-System. Die Pipeline muss dann kein Secret speichern. Für andere Programme fügen Sie ein Secret hinzu.',
    none: 'Keine',
    counts: {
      secret: (secrets) => count(secrets, 'Secret', 'Secrets'),
      key: (keys) => count(keys, 'öffentlicher Schlüssel', 'öffentliche Schlüssel'),
      federated: (trusts) =>
        count(trusts, 'vertrauenswürdiger Aussteller', 'vertrauenswürdige Aussteller'),
    },
    kind: 'Art',
    kinds: {
      secret: 'Secret',
      key: 'Öffentlicher Schlüssel',
      federated: 'Vertrauenswürdiger Aussteller',
    },
    details: 'Vertrauenswürdige Claims oder Fingerabdruck',
    added: 'Hinzugefügt',
    actions: 'Aktionen',
    revoke: {
      link: 'Widerrufen',
      label: (kind, added) => `${kind} widerrufen, hinzugefügt am ${added}`,
      title: (kind, id) => `Zugangsdaten von ${id} widerrufen: ${kind}`,
      about: (added, lastUsed) => (
        <>
          Hinzugefügt: {added}. Zuletzt verwendet: {lastUsed}.
        </>
      ),
      effect:
        'Diese Zugangsdaten und die damit ausgestellten Zugriffstokens werden sofort ungültig. Andere Zugangsdaten gelten weiter.',
      button: 'Zugangsdaten widerrufen',
    },
  },
  secret: {
    title: (id) => `Secret für ${id}`,
    copy: 'Secret kopieren',
    warning:
      'Kopieren Sie dieses Secret jetzt. Es wird nicht noch einmal angezeigt. Der Server speichert nur einen Hash davon. Hinterlegen Sie es dort, wo das Programm seine Secrets aufbewahrt.',
    done: 'Ich habe das Secret gespeichert',
    expires: (time) => <>Es läuft am {time} ab.</>,
    add: {
      title: (id) => `Secret für ${id} hinzufügen`,
      about: 'Die nächste Seite zeigt einmalig das Secret.',
      button: 'Secret hinzufügen',
    },
    rotate: {
      title: (id) => `Secret von ${id} rotieren`,
      about:
        'Die nächste Seite zeigt einmalig das neue Secret. Legen Sie fest, wie lange die älteren noch gelten. Das Programm braucht sie, bis Sie das neue dort hinterlegt haben.',
      button: 'Secret rotieren',
    },
    days: 'Gültigkeitsdauer des Secrets',
    overlap: 'Ältere Secrets',
    overlaps: {
      none: 'Werden sofort ungültig',
      hour: 'Gelten noch eine Stunde',
      day: 'Gelten noch einen Tag',
      week: 'Gelten noch eine Woche',
      month: 'Gelten noch 30 Tage',
      keep: 'Gelten, bis sie ablaufen',
    },
  },
  key: {
    title: (id) => `Öffentlichen Schlüssel für ${id} hinzufügen`,
    about: (method) => (
      <>
        Wenn das Programm ein Zugriffstoken anfordert, signiert es die Anfrage mit seinem privaten
        Schlüssel ({method}). Der private Schlüssel verlässt das Programm nie.
      </>
    ),
    jwk: 'Öffentlicher Schlüssel (JWK)',
    hint: 'JSON mit kty und ohne den privaten Teil. EC P-256 oder P-384, Ed25519 oder RSA ab 2048 Bit.',
    notJson:
      'Das ist kein JSON-Objekt. Fügen Sie den ganzen öffentlichen Schlüssel ein, einschließlich der geschweiften Klammern.',
    button: 'Öffentlichen Schlüssel hinzufügen',
  },
  trust: {
    review: 'Claims prüfen',
    save: 'Diesen Tokens vertrauen',
    claims: (id, role) =>
      `Jedes von diesem Aussteller signierte Token mit genau diesen Claims gewährt Zugriff als ${id} mit der Rolle ${role}:`,
    wildcard: (mark) => (
      <>
        {mark} steht für beliebigen Text ohne Doppelpunkte und Schrägstriche. Am Ende darf der Text
        auch Schrägstriche enthalten.
      </>
    ),
    wayBack: 'Sie können diese Zugangsdaten jederzeit widerrufen.',
    systems: {
      github: {
        link: 'GitHub Actions vertrauen',
        title: (id) => `GitHub Actions für ${id} vertrauen`,
        about:
          'Jobs dieses Repositorys erhalten Zugriff mit einem eigenen Token, das GitHub ausstellt. Sie müssen kein Secret in GitHub speichern.',
        owner: 'Eigentümer',
        ownerHint:
          'Der Benutzer oder die Organisation. Achten Sie auf dieselbe Groß- und Kleinschreibung wie bei GitHub.',
        repository: 'Repository',
        scope: 'Zugelassene Jobs',
        scopeHint:
          'Wenn ein Job eine Umgebung angibt, wählen Sie die Umgebung. Sein Token enthält dann weder Branch noch Tag.',
        scopes: {
          branch: 'Jobs eines Branches',
          tags: 'Jobs aller Tags',
          environment: 'Jobs einer Umgebung',
        },
        name: 'Branch oder Umgebung',
        nameHint:
          'Für alle Tags lassen Sie das Feld leer. Dann kann jeder, der ein Tag pushen kann, diesen Client verwenden.',
        ownerId: 'ID des Eigentümers',
        repositoryId: 'ID des Repositorys',
        idsHint:
          'Beide IDs sind erforderlich, wenn das Repository ab dem 15. Juli 2026 erstellt oder umbenannt wurde oder „immutable subject claims“ verwendet. Die GitHub-API liefert sie als id und owner.id des Repositorys.',
        errors: {
          owner: 'Geben Sie nur den Namen des Eigentümers ein, ohne das Repository.',
          repository: 'Geben Sie nur den Namen des Repositorys ein, ohne den Eigentümer.',
          ownerId:
            'Geben Sie die ID des Eigentümers als Zahl ein oder lassen Sie beide ID-Felder leer.',
          repositoryId:
            'Geben Sie die ID des Repositorys als Zahl ein oder lassen Sie beide ID-Felder leer.',
          name: 'Geben Sie einen Branch oder eine Umgebung ein. Platzhalter sind hier nicht möglich.',
        },
      },
      gitlab: {
        link: 'GitLab CI/CD vertrauen',
        title: (id) => `GitLab CI/CD für ${id} vertrauen`,
        about:
          'Jobs dieses Projekts erhalten Zugriff mit einem ID-Token, das GitLab ausstellt. Sie müssen kein Secret in GitLab speichern.',
        instance: 'GitLab-URL',
        project: 'Projektpfad',
        projectHint: 'Mit allen Gruppen, zum Beispiel example/cards.',
        scope: 'Zugelassene Jobs',
        scopes: { branch: 'Jobs eines Branches', tags: 'Jobs aller Tags' },
        name: 'Branch',
        nameHint: 'Für alle Tags lassen Sie das Feld leer.',
        protected: 'Nur wenn der Branch oder das Tag geschützt ist',
        protectedHint:
          'Sonst kann jeder, der in den Branch pushen oder ein Tag erstellen kann, diesen Client verwenden.',
        errors: {
          project:
            'Geben Sie den Pfad eines Projekts mit seinen Gruppen ein, zum Beispiel example/cards.',
          name: 'Geben Sie einen Branch ein. Platzhalter sind hier nicht möglich.',
        },
      },
      other: {
        link: 'Einem anderen Aussteller vertrauen',
        title: (id) => `Einem anderen Aussteller für ${id} vertrauen`,
        about:
          'Programme erhalten Zugriff mit einem Token dieses Ausstellers. Der Server liest die Schlüssel des Ausstellers aus dessen OpenID-Connect-Discovery-Dokument.',
        issuer: 'Aussteller (iss)',
        issuerHint: 'Die URL genau so, wie sie in den Tokens steht, einschließlich https.',
        subject: 'Subject (sub)',
        subjectHint:
          'Ein Sternchen (*) steht für einen ganzen Teil zwischen Doppelpunkten oder Schrägstrichen, aber nicht für einen der ersten beiden.',
        audience: 'Audience (aud)',
        audienceHint: 'Optional. Standard: die URL dieses Servers.',
        claims: 'Weitere Claims',
        claimsHint:
          'Optional. Einer pro Zeile, zum Beispiel environment=production. Die Tokens müssen genau diese Werte enthalten.',
        notClaims:
          'Geben Sie einen Claim pro Zeile ein, zum Beispiel environment=production. Verwenden Sie jeden Namen nur einmal.',
      },
    },
  },
}
